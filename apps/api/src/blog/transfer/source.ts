/** How a post's text is turned into Markdown. */
export type TextFormat =
  /** From an export of this site, used unchanged. */
  | 'exact'
  | 'html'
  /** HTML from WordPress, with shortcodes, and possibly without paragraphs. */
  | 'wordpress'
  /** Markdown with Hugo shortcodes or Liquid tags. */
  | 'markdown'
  /** Markdown with components. */
  | 'mdx';

export interface SourcePost {
  /** For the report: a file name, slug or title. */
  name: string;
  /** The post's id; the same each time the source is read. */
  id: string;
  title: string;
  /** If '', the slug is derived from the title. */
  slug: string;
  /** Latest first: their URLs redirect to the post. */
  oldSlugs: readonly string[];
  text: string;
  format: TextFormat;
  /** If '', the beginning of the text is used. */
  excerpt: string;
  /** A URL, or ''. */
  cover: string;
  tags: readonly string[];
  published: boolean;
  /** When the source will show it, if it is a draft or this is in the future. */
  scheduledAt: number | null;
  /** When the source stops showing it. */
  expiresAt?: number | null;
  /** Null if unknown. */
  createdAt: number | null;
  updatedAt: number | null;
  /** An email address, or null. */
  author: string | null;
  /** The folder with the pictures, in an export of this site. */
  exportFolder?: string;
  /** What was changed while the source was read. */
  notes: readonly string[];
}

export interface SkippedItem {
  name: string;
  skipped: string;
}

export interface Source {
  /** Such as 'Ghost export'. */
  kind: string;
  /** Items to read, for the progress bar. */
  count: number;
  /** The URL of the site that the posts come from, if it is known. */
  siteUrl?: string | null;
  /** Reads the source from its start. */
  items(): AsyncIterable<SourcePost | SkippedItem>;
}

/** The source cannot be read at all. */
export class SourceError extends Error {
  override name = 'SourceError';
}
