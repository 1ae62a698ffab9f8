/** How a post's text is turned into Markdown. */
export type TextFormat =
  /** Of an export of this site: as it is. */
  | 'exact'
  | 'html'
  /** HTML of WordPress, with shortcodes, and possibly without paragraphs. */
  | 'wordpress'
  /** Markdown with shortcodes of Hugo or tags of Liquid. */
  | 'markdown'
  /** Markdown with components. */
  | 'mdx';

export interface SourcePost {
  /** For the report: a file, or a title. */
  name: string;
  /** The post's id; the same each time the source is read. */
  id: string;
  title: string;
  /** '' for the slug of the title. */
  slug: string;
  /** Latest first: their URLs redirect to the post. */
  oldSlugs: readonly string[];
  text: string;
  format: TextFormat;
  /** '' for the beginning of the text. */
  excerpt: string;
  /** A URL, or ''. */
  cover: string;
  /** Names. */
  tags: readonly string[];
  published: boolean;
  /** When a draft is to be published. */
  scheduledAt: number | null;
  /** Null if the source does not say. */
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
  /** Reads the source from its start. */
  items(): AsyncIterable<SourcePost | SkippedItem>;
}

/** The source cannot be read at all. */
export class SourceError extends Error {
  override name = 'SourceError';
}
