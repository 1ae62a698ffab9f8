import { markdownTree } from '@app/contract/blog/html-to-markdown/html-to-markdown';
import { writeMarkdown } from '@app/contract/blog/html-to-markdown/write-markdown';
import { limits } from '@app/contract/limits';
import type { Root } from 'hast';
import { fromDom } from 'hast-util-from-dom';
import type { Nodes } from 'mdast';
import { withoutStyles } from './without-styles.ts';

/**
 * Word processors write many more characters than a text has. Longer HTML would block the page for
 * a second, for a text that is likely too long for a post.
 */
const maxHtml = 5 * limits.content;

/** Many more than a post has. More, or deeper ones, would block the page for seconds. */
const maxElements = 15_000;
const maxDepth = 100;

/** Converts copied HTML to Markdown. Null if it has no formatting that Markdown supports, or too much. */
export const markdownOf = (html: string): string | null => {
  if (html.length > maxHtml) return null;
  // Does not load pictures or run scripts.
  const document = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  if (isTooLarge(document)) return null;
  const tree = markdownTree(fromDom(document) as Root, {
    note: () => undefined,
    allowsRelativeUrls: false,
  });
  const hasPicture = document.querySelector('img') !== null;
  return hasPicture || isFormatted(tree) ? writeMarkdown(tree) : null;
};

function isTooLarge(document: Document): boolean {
  if (document.getElementsByTagName('*').length > maxElements) return true;
  let level: Element[] = [document.body];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    level = level.flatMap(({ children }) => [...children]);
  }
  return level.length > 0;
}

const isPlain = ({ type }: Nodes): boolean => /^(?:root|paragraph|text|break)$/.test(type);

const isFormatted = (node: Nodes): boolean =>
  !isPlain(node) || ('children' in node && node.children.some(isFormatted));
