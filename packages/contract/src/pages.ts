/** Data of the pages that are rendered at runtime, by kind. */
// biome-ignore lint/suspicious/noEmptyInterface: features extend it
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
  /** The signed-in user, on pages that are rendered for one visitor. */
  account?: PageAccount | undefined;
}

/** For the header's account menu. */
export interface PageAccount {
  email: string;
  username: string | null;
  fullName: string | null;
  avatarUrl: string | null;
}

/** A social card: a PNG with the page's title. */
export interface Card {
  /**
   * /cards/{hash}.png in the build, and for a page that is rendered later {cardFolder}/{hash}.png.
   * The hash changes with the title and the design.
   */
  path: string;
  title: string;
}

/** The folder for the card of one page: /cards/blog.how-to for /blog/how-to. */
export const cardFolderOf = (path: string): string =>
  `/cards/${path.slice(1).replaceAll('/', '.')}`;

export interface RenderedPage {
  /** HTML (with its CSP) or XML in UTF-8. */
  bytes: Uint8Array<ArrayBuffer>;
  card: Card | null;
}

/**
 * A placeholder that is replaced by PUBLIC_URL when a build is installed (RFC 2606, `.invalid`).
 */
export const buildOrigin = 'https://public-url.invalid';
