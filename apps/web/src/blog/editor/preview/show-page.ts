import { patchElement, patchNodes } from './patch-element.ts';
import { splitPage } from './split-page.ts';

export type PreviewTheme = 'light' | 'dark';

const contentSelector = '.post-body';

/** The HTML of the blocks that each content element shows. */
const sources = new WeakMap<Element, readonly string[]>();

/**
 * Shows a page in the frame's document. Parses only the changed blocks of the content, which can be
 * long, so that typing is not delayed.
 * @returns false if the frame must be reloaded because the CSP has changed: a second CSP would
 * apply in addition to the first
 */
export const showPage = (frame: Document, html: string, theme: PreviewTheme): boolean => {
  if (!frame.defaultView) return true;
  const { before, blocks, after } = splitPage(html);
  // The frame's parser, because browsers apply the CSP of the parser's window to what it parses.
  const parser = new frame.defaultView.DOMParser();
  const page = parser.parseFromString(before + after, 'text/html');
  if (policyOf(frame) !== null && policyOf(frame) !== policyOf(page)) return false;
  // Scripts would not run, but browsers would report each one as blocked.
  for (const script of page.querySelectorAll('script')) script.remove();
  for (const control of page.querySelectorAll('[autofocus]')) control.removeAttribute('autofocus');
  page.documentElement.classList.add(theme);
  const old = frame.querySelector(contentSelector);
  patchElement(frame.documentElement, page.documentElement, contentSelector);
  const content = frame.querySelector(contentSelector);
  // Patching may have turned another element into the content.
  if (old !== content && old) sources.delete(old);
  if (content) showBlocks(content, blocks, parser);
  return true;
};

const showBlocks = (content: Element, blocks: readonly string[], parser: DOMParser): void => {
  const shown = sources.get(content) ?? [];
  sources.set(content, blocks);
  const shorter = Math.min(shown.length, blocks.length);
  let start = 0;
  while (start < shorter && shown[start] === blocks[start]) start += 1;
  let end = 0;
  while (end < shorter - start && shown.at(-1 - end) === blocks.at(-1 - end)) end += 1;
  if (start === shown.length && start === blocks.length) return;

  const changed = blocks.slice(start, blocks.length - end).join('');
  const { body } = parser.parseFromString(changed, 'text/html');
  const following = content.children[shown.length - end] ?? null;
  const current: Node[] = [];
  let node: Node | null = content.children[start] ?? null;
  for (; node && node !== following; node = node.nextSibling) current.push(node);
  patchNodes(content, current, [...body.childNodes], following, contentSelector);
};

const policyOf = (page: Document): string | null =>
  page.querySelector('meta[http-equiv=content-security-policy]')?.getAttribute('content') ?? null;
