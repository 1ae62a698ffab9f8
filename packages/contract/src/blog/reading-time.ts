/**
 * Silent reading of nonfiction in English: Brysbaert, "How many words do we read per minute?",
 * Journal of Memory and Language 109 (2019), 104047. Chinese: 260 characters.
 */
const wordsPerMinute = 238;

const word =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;

/** Each character of Chinese and Japanese counts as a word. */
export const countWords = (text: string): number => text.match(word)?.length ?? 0;

/** At least 1. */
export const readingMinutes = (words: number): number =>
  Math.max(1, Math.round(words / wordsPerMinute));
