import { htmlToMarkdown } from '@app/contract/blog/html-to-markdown/html-to-markdown';
import type { Root } from 'hast';
import type { TextFormat } from '../source.ts';
import { imagesOf, withImages } from './images.ts';
import { withoutTemplates } from './markdown-dialects.ts';
import type { Notes } from './notes.ts';
import { parseHtml } from './parse-html.ts';
import { parseMarkdown, parseMdxOrMarkdown } from './parse-markdown.ts';
import { hasImports } from './parse-mdx.ts';
import { parseWordPress } from './parse-wordpress.ts';

export interface TextTask {
  text: string;
  format: TextFormat;
  /** New URLs of pictures. */
  paths?: Readonly<Record<string, string>>;
}

export type ConvertedText =
  | { markdown: string; notes: string[]; images: string[] }
  | { problem: string };

/** Each format becomes HTML, which then becomes Markdown. */
const parsers: Readonly<
  Record<Exclude<TextFormat, 'exact'>, (text: string, notes: Notes) => Root>
> = {
  html: parseHtml,
  wordpress: parseWordPress,
  markdown: (text, notes) =>
    hasImports(text)
      ? parseMdxOrMarkdown(text, notes)
      : parseMarkdown(withoutTemplates(text, notes)),
  mdx: parseMdxOrMarkdown,
};

export function convertText({ text, format, paths = {} }: TextTask): ConvertedText {
  const notes: Notes = new Set();
  try {
    const markdown = withImages(markdownOf(text, format, notes), paths);
    return { markdown, notes: [...notes], images: imagesOf(markdown) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'its elements are nested too deeply' };
    // A bug in a library must not end the import.
    return { problem: `it cannot be read (${(error as Error).message})` };
  }
}

function markdownOf(text: string, format: TextFormat, notes: Notes): string {
  if (format === 'exact') return text;
  return htmlToMarkdown(parsers[format](text, notes), {
    note: (sentence) => void notes.add(sentence),
    allowsRelativeUrls: true,
  });
}
