import type { ClientError } from '@app/contract/client-errors/client-errors';
import { withoutTokens } from '../tokens.ts';

export interface CleanReport {
  message: string;
  /** Path, line and column, such as /_astro/form.Bq3x.js:1:200. */
  frame: string;
}

/**
 * What is safe to log of a report. Messages may contain typed text, as in `"…" is not valid JSON`,
 * and URLs may contain tokens.
 */
export const cleanReport = ({ message, stack }: ClientError): CleanReport => ({
  message: message
    .split(/\s+/)
    .map(cleanWord)
    .join(' ')
    .replace(/"[^"]*"?/g, '"…"')
    .replace(/\d{4,}/g, '…'),
  frame: firstFrame(stack),
});

const httpUrls = /https?:\/\/[^\s)'",]*/g;

function cleanWord(word: string): string {
  const [found] = word.match(httpUrls) ?? [];
  if (found === undefined) return word.includes('@') ? '…' : word;
  const url = URL.parse(found);
  return url ? withoutTokens(`${url.origin}${url.pathname}`) : '…';
}

/** Prefers the first URL with a position: in Chromium, the stack starts with the message. */
function firstFrame(stack: string): string {
  const urls = stack.match(httpUrls) ?? [];
  const found = urls.find((url) => /:\d{1,9}:\d{1,9}$/.test(url)) ?? urls[0] ?? '';
  const position = /(?::\d{1,9}){1,2}$/.exec(found)?.[0] ?? '';
  const url = URL.parse(found.slice(0, found.length - position.length));
  return url ? withoutTokens(url.pathname) + position : '';
}
