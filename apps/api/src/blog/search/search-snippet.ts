import type { SearchTextPart } from '@app/contract/blog/search';
import { fold } from './search-words.ts';

/** Of a snippet, in characters. */
const length = 200;
/** Before the first match. */
const lead = 60;

/** Splits a text into what matches and what does not. */
export function markMatches(text: string, pattern: RegExp): SearchTextPart[] {
  const parts: SearchTextPart[] = [];
  let end = 0;
  for (const { 0: match, index } of fold(text).matchAll(pattern)) {
    if (index > end) parts.push({ text: text.slice(end, index), isMatch: false });
    end = index + match.length;
    parts.push({ text: text.slice(index, end), isMatch: true });
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}

/** The part of a long text around its first match, or its beginning without one. */
export function snippetOf(text: string, pattern: RegExp): SearchTextPart[] {
  const match = Math.max(0, fold(text).search(pattern));
  // Whole words.
  const start = match <= lead ? 0 : text.indexOf(' ', match - lead) + 1;
  const from = start > match ? match : start;
  const isCut = from + length < text.length;
  const space = isCut ? text.lastIndexOf(' ', from + length) : text.length;
  const to = space > match ? space : from + length;
  const shown = `${from > 0 ? '… ' : ''}${text.slice(from, to)}${isCut ? ' …' : ''}`;
  return markMatches(shown, pattern);
}
