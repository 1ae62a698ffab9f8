import { limits } from '@app/contract/limits';

// How FTS5's tokenizer `unicode61 remove_diacritics 2` splits and folds texts.

/** For character classes: what its tokens consist of. Accents continue one without being in it. */
const letters = String.raw`\p{L}\p{N}\p{Co}`;
const accents = String.raw`\u0300-\u0331`;

/** Of FTS5, in a query: it compares the positions of all tokens of a phrase in every post. */
const maxTokens = 8;

const tokens = new RegExp(`[${letters}]+`, 'gu');
const words = new RegExp(`[${letters}]+(?:\\p{M}+[${letters}]+){0,${maxTokens - 1}}\\p{M}*`, 'gu');
const twoLettersAtEnd = new RegExp(`[${letters}]{2}\\p{M}*$`, 'u');
const letterOrMarks = new RegExp(`[${letters}]|\\p{M}+`, 'gu');
const onlyAccents = new RegExp(`^[${accents}]+$`);

/**
 * The first words of a query, unfolded. Marks such as the vowels of Hindi separate FTS5's tokens,
 * so a word may be a phrase of several.
 */
export function wordsOf(query: string): string[] {
  const found = query.normalize('NFC').match(words)?.slice(0, limits.searchWords) ?? [];
  let left = maxTokens;
  return found.filter((word) => {
    left -= word.match(tokens)?.length ?? 0;
    return left >= 0;
  });
}

/** Only the last word is still being typed, and most tokens begin with the same few letters. */
export const isIncomplete = (word: string, index: number, { length }: { length: number }) =>
  index === length - 1 && twoLettersAtEnd.test(word);

/** Of UTF-16 code units. Normalizing each character of long texts would take too long. */
const foldings = new Array<number | undefined>(0x1_0000);

/** Lowercase, and Latin letters without diacritics, character by character: positions stay. */
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
  // By the capital, which ς shares with σ. That of the dotless ı is I.
  const capital = latin === 'ı' ? latin : latin.toUpperCase();
  const folded = (capital.length === 1 ? capital : latin).toLowerCase();
  return folded.length === 1 ? folded.charCodeAt(0) : unit;
}

/** Finds in folded texts what FTS5 finds, with the marks after it. */
export function patternOf(words: readonly string[]): RegExp {
  const patterns = words.map((word, index) => {
    const pattern = fold(word)
      .replace(/\p{M}+$/u, '')
      .replace(letterOrMarks, (part) => {
        if (onlyAccents.test(part)) return '';
        return /^\p{M}/u.test(part) ? `[^${letters}]+` : `${part}[${accents}]*`;
      });
    return isIncomplete(word, index, words) ? `${pattern}[${letters}${accents}]*` : pattern;
  });
  const [before, after] = [`(?<![${letters}${accents}])`, `(?![${letters}${accents}])`];
  return new RegExp(`${before}(?:${patterns.join('|')})${after}\\p{M}*`, 'gu');
}
