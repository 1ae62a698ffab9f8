import { renderMarkdown } from './markdown.ts';

const most = 64;
const kept = new Map<string, string>();

/**
 * `renderMarkdown`, remembering the bodies it was asked for last: each change of
 * one post renders the feed anew, with the bodies of all the others.
 */
export const renderBody = (body: string): string => {
  const html = kept.get(body) ?? renderMarkdown(body);
  kept.delete(body);
  kept.set(body, html);
  if (kept.size > most) kept.delete(kept.keys().next().value ?? '');
  return html;
};
