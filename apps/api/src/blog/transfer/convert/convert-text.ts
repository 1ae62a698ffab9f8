import type { TextFormat } from '../source.ts';
import { htmlToMarkdown, type Notes } from './html-to-markdown.ts';
import { imagesOf, withImages } from './images.ts';
import { fromDialect, fromMdx } from './markdown-dialects.ts';
import { wordpressToHtml } from './wordpress-text.ts';

export interface TextTask {
  text: string;
  format: TextFormat;
  /** New URLs of pictures. */
  paths?: Readonly<Record<string, string>>;
}

export type ConvertedText =
  | { markdown: string; notes: string[]; images: string[] }
  | { problem: string };

const converters: Readonly<Record<TextFormat, (text: string, notes: Notes) => string>> = {
  exact: (text) => text,
  html: htmlToMarkdown,
  wordpress: (text, notes) => htmlToMarkdown(wordpressToHtml(text, notes), notes),
  markdown: fromDialect,
  mdx: fromMdx,
};

export function convertText({ text, format, paths = {} }: TextTask): ConvertedText {
  const notes: Notes = new Set();
  try {
    const markdown = withImages(converters[format](text, notes), paths);
    return { markdown, notes: [...notes], images: imagesOf(markdown) };
  } catch (error) {
    // Stack overflow.
    if (error instanceof RangeError) return { problem: 'its elements are nested too deeply' };
    // A bug in a library must not end the import.
    return { problem: `it cannot be read (${(error as Error).message})` };
  }
}
