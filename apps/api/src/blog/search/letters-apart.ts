/** Zero-width space: FTS5 treats it as a separator, and it is invisible. */
const separator = '\u200b';

/**
 * Letters of scripts without spaces between words: Thai, Lao, Burmese, Khmer, Chinese and Japanese.
 * A migration has the same ranges for titles and excerpts.
 */
const letter =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3fffd}]\p{M}*/gu;

export const lettersTogether = (text: string): string => text.replaceAll(separator, '');

/** Puts separators around each of these letters, so that each is a token and a word is a phrase. */
export const lettersApart = (text: string): string =>
  lettersTogether(text)
    .replace(letter, `${separator}$&${separator}`)
    .replaceAll(separator + separator, separator);
