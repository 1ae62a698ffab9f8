/** `href`: a path of the site, a `mailto:` or `tel:` address, or another site's address. */
export interface TextLink {
  readonly label: string;
  readonly href: string;
}

/** A sentence or a paragraph; its parts where some of its words are links. */
export type Text = string | readonly (string | TextLink)[];
