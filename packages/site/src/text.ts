/** `href`: a path, a `mailto:` or `tel:` link, or a URL. */
interface TextLink {
  readonly label: string;
  readonly href: string;
}

/** A text, or its parts if some of them are links. */
export type Text = string | readonly (string | TextLink)[];
