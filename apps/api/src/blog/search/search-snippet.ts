import type { SearchTextPart } from '@app/contract/blog/search';

/** Of a snippet, in characters. */
const length = 200;
/** Before the first match. */
const lead = 60;

/** Lowercase without diacritics, character by character, so that positions stay. */
const fold = (text: string): string =>
  text
    .replace(/[^ -~]/g, (character) => {
      const folded = character.normalize('NFD').charAt(0).toLowerCase();
      return folded.length === 1 ? folded : character;
    })
    .toLowerCase();

const isWordCharacter = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

/** @param words folded; the last one may be incomplete */
const isMatch = (word: string, words: readonly string[]): boolean => {
  const last = words.at(-1) ?? '';
  return words.includes(word) || (last.length > 1 && word.startsWith(last));
};

/** Splits a text into what matches and what does not. */
export function markMatches(text: string, words: readonly string[]): SearchTextPart[] {
  const parts: SearchTextPart[] = [];
  const folded = fold(text);
  let end = 0;
  for (const { 0: word, index } of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!isMatch(word, words)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isMatch: false });
    end = index + word.length;
    parts.push({ text: text.slice(index, end), isMatch: true });
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}

/** At the start of a word; the start of the text without a match. */
function firstMatch(folded: string, words: readonly string[]): number {
  const positions = words.map((word, index) => {
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + 1)) {
      const isStart = at === 0 || !isWordCharacter(folded.charAt(at - 1));
      const isEnd = !isWordCharacter(folded.charAt(at + word.length));
      if (isStart && (isEnd || index === words.length - 1)) return at;
    }
    return Number.POSITIVE_INFINITY;
  });
  const first = Math.min(...positions);
  return Number.isFinite(first) ? first : 0;
}

/** The part of a long text around its first match. */
export function snippetOf(text: string, words: readonly string[]): SearchTextPart[] {
  const match = firstMatch(fold(text), words);
  // Whole words.
  const start = match <= lead ? 0 : text.indexOf(' ', match - lead) + 1;
  const from = start > match ? match : start;
  const isCut = from + length < text.length;
  const space = isCut ? text.lastIndexOf(' ', from + length) : text.length;
  const to = space > match ? space : from + length;
  const shown = `${from > 0 ? '… ' : ''}${text.slice(from, to)}${isCut ? ' …' : ''}`;
  return markMatches(shown, words);
}
