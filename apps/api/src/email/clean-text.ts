/*
 * Both remove the characters that turn the direction of what follows (U+202A to 202E, 2066 to
 * 2069): with them one text can pass for another (Unicode TR 36).
 */

/** A user's name, or the like: whatever is in it, it adds no line to an email and no header. */
export const oneLine = (text: string): string =>
  text.replace(/[\s\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]+/gu, ' ').trim();

/** A user's text with its own lines, without control characters. */
export const manyLines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '');
