/**
 * What each page that is rendered while the site runs shows, by its kind. The API fills it in, the
 * page renders it. Each feature adds its own pages to this interface.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface RenderedPages {}

export type PageKind = keyof RenderedPages;

export type PageData = {
  [Kind in PageKind]: { kind: Kind } & RenderedPages[Kind];
}[PageKind];

/** Astro's `locals` on a page that is rendered while the site runs. */
export interface PageLocals {
  /** PUBLIC_URL without a slash at its end: https://fieldlight.example */
  origin: string;
  page: PageData;
}

/** The picture of a page for those who share it: a PNG, drawn from its title alone. */
export interface Card {
  /** Changes with the title and with the design of the cards: /cards/{hash}.png */
  path: string;
  title: string;
}

/** A page as its renderer leaves it. */
export interface RenderedPage {
  /** HTML or XML. */
  text: string;
  /** The card that it refers to. */
  card: Card | null;
}

/**
 * Stands for PUBLIC_URL in the files of the build, which does not know it; it is
 * put in its place when the build is installed. `.invalid` never resolves (RFC 2606).
 */
export const buildOrigin = 'https://public-url.invalid';
