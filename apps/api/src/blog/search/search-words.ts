import { limits } from '@app/contract/limits';
import { lettersApart } from './letters-apart.ts';

// Splits and folds texts like FTS5's tokenizer `unicode61 remove_diacritics 2`.

/** Character classes of its tokens. Accents continue a token without being part of it. */
const letters = String.raw`\p{L}\p{N}\p{Co}`;
const accents = String.raw`\u0300-\u0331`;

/** Per query, because FTS5 compares the positions of all tokens of a phrase in every post. */
const maxTokens = 8;

const token = /[\p{L}\p{N}\p{Co}]+/gu;
const word = new RegExp(
  `[${letters}]+(?:[\\p{M}\\u200b]+[${letters}]+){0,${maxTokens - 1}}\\p{M}*`,
  'gu',
);

const tokensOf = (text: string): string[] =>
  text.replace(/[\u0300-\u0331]/g, '').match(token) ?? [];

/**
 * The first words of a query, from `lettersApart` and not folded. Marks such as the vowels of Hindi
 * separate FTS5's tokens, so a word can be a phrase of several tokens.
 */
export function wordsOf(query: string): string[] {
  const words =
    lettersApart(query.normalize('NFC')).match(word)?.slice(0, limits.searchWords) ?? [];
  let left = maxTokens;
  return words.filter((each) => {
    left -= tokensOf(each).length;
    return left >= 0;
  });
}

/** Only the last word can be, unless its last token is one letter: too many words begin with it. */
export const isIncomplete = (word: string, index: number, { length }: { length: number }) =>
  index === length - 1 && [...(tokensOf(word).at(-1) ?? '')].length > 1;

/** Cached per UTF-16 code unit, because normalizing each character of long texts takes too long. */
const foldings = new Array<number | undefined>(0x1_0000);

/** Lowercases, and removes diacritics from Latin letters. Characters keep their positions. */
export function fold(text: string): string {
  const folded = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    foldings[unit] ??= foldUnit(unit);
    folded[at] = foldings[unit];
  }
  return Buffer.from(folded.buffer).toString('utf16le');
}

function foldUnit(unit: number): number {
  const character = String.fromCharCode(unit);
  const latin = /^([a-z])\p{M}+$/iu.exec(character.normalize('NFD'))?.[1] ?? character;
  // Through the capital, which ς and σ share. The capital of the dotless ı is I, so ı is excluded.
  const capital = latin === 'ı' ? latin : latin.toUpperCase();
  const folded = (capital.length === 1 ? capital : latin).toLowerCase();
  return folded.length === 1 ? folded.charCodeAt(0) : unit;
}

const [before, after] = [`(?<![${letters}${accents}])`, `(?![${accents}]*[${letters}])`];

const sourceOf = (word: string, index: number, words: readonly string[]): string => {
  const tokens = tokensOf(fold(word)).map((token) => [...token].join(`[${accents}]*`));
  const source = tokens.join(`[^${letters}]+`);
  return isIncomplete(word, index, words) ? `${source}[${letters}${accents}]*` : source;
};

const toPattern = (source: string) => new RegExp(`${before}(?:${source})${after}\\p{M}*`, 'gu');

/**
 * One pattern per word. In folded texts from `lettersApart`, it finds what FTS5 finds, including
 * the marks that follow.
 */
export const patternsOf = (words: readonly string[]): RegExp[] =>
  words.map(sourceOf).map(toPattern);

/** Finds any of the words. */
export const patternOf = (words: readonly string[]): RegExp =>
  toPattern(words.map(sourceOf).join('|'));
