/**
 * Silent reading of nonfiction in English: Brysbaert, "How many words do we read per minute?",
 * Journal of Memory and Language 109 (2019), 104047. Chinese: 260 characters.
 */
const wordsPerMinute = 238;

const word =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;

/** Without spaces between words. */
const run = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** With the first text that needs it. Takes 80 ms for 200,000 characters. */
let segmenter: Intl.Segmenter | undefined;

function countSegments(text: string): number {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words += 1;
  return words;
}

/** Each character of Chinese and Japanese counts as a word. */
export function countWords(text: string): number {
  let words = 0;
  const spaced = text.replace(run, (found) => {
    words += countSegments(found);
    return ' ';
  });
  return words + (spaced.match(word)?.length ?? 0);
}

/** Up to the end of the text if it is not closed. */
const fencedCode = /^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,}).*(?:\n(?! {0,3}\1[`~]*[ \t]*$).*)*(?:\n.*)?/gm;

const urlOfLink = /\]\([^()\s]{0,2048}\)/g;

/** The words of Markdown that a page counts: not those of code blocks and URLs of links. */
export const countMarkdownWords = (markdown: string): number =>
  countWords(markdown.replace(fencedCode, '').replace(urlOfLink, ']'));

/** At least 1. */
export const readingMinutes = (words: number): number =>
  Math.max(1, Math.round(words / wordsPerMinute));
