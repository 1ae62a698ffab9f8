/** Data of the pages that are rendered at runtime, by kind. Features extend this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface RenderedPages {}

export type PageKind = keyof RenderedPages;

export type PageData = {
  [Kind in PageKind]: { kind: Kind } & RenderedPages[Kind];
}[PageKind];

/** Astro's `locals` on pages that are rendered at runtime. */
export interface PageLocals {
  /** PUBLIC_URL without a trailing slash. */
  origin: string;
  page: PageData;
}

/** A social card: a PNG with the page's title. */
export interface Card {
  /** /cards/{hash}.png: changes with the title and the design. */
  path: string;
  title: string;
}

export interface RenderedPage {
  /** HTML or XML in UTF-8, CSP included. */
  bytes: Uint8Array<ArrayBuffer>;
  card: Card | null;
}

/** Replaced by PUBLIC_URL when the build is installed. `.invalid` never resolves (RFC 2606). */
export const buildOrigin = 'https://public-url.invalid';
