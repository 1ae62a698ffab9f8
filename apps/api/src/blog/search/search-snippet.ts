import type { SearchTextPart } from '@app/contract/blog/search';
import { lettersTogether } from './letters-apart.ts';
import { fold } from './search-words.ts';

/** Characters of a snippet. */
const length = 200;
/** Characters before the first match. */
const lead = 60;

const isBetweenWords = (character = ''): boolean => ' \u200b'.includes(character);

/**
 * Splits a text into parts that match and parts that do not.
 * @param text from `lettersApart`
 */
export function markMatches(text: string, pattern: RegExp): SearchTextPart[] {
  const parts: SearchTextPart[] = [];
  const add = (part: string, isMatch: boolean) => {
    const shown = lettersTogether(part);
    if (shown) parts.push({ text: shown, isMatch });
  };
  let end = 0;
  for (const { 0: match, index } of fold(text).matchAll(pattern)) {
    add(text.slice(end, index), false);
    end = index + match.length;
    add(text.slice(index, end), true);
  }
  add(text.slice(end), false);
  return parts;
}

/**
 * The part of a long text around its first match, or its beginning if nothing matches.
 * @param text from `lettersApart`
 */
export function snippetOf(text: string, pattern: RegExp): SearchTextPart[] {
  const match = Math.max(0, fold(text).search(pattern));
  // Do not cut words.
  let from = match <= lead ? 0 : match - lead;
  while (from > 0 && from < match && !isBetweenWords(text[from - 1])) from += 1;
  let to = Math.min(from + length, text.length);
  while (to < text.length && to > match && !isBetweenWords(text[to])) to -= 1;
  if (to === match) to = from + length;
  const shown = `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
  return markMatches(shown, pattern);
}
