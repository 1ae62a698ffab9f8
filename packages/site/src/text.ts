/** `href`: a path, a `mailto:` or `tel:` link, or a URL. */
interface TextLink {
  readonly label: string;
  readonly href: string;
}

/** Parts, where some words are links. */
export type Text = string | readonly (string | TextLink)[];
