/* Both remove direction overrides, which can disguise text (Unicode TR 36). */

/** A user's text that cannot add lines or headers. */
export const oneLine = (text: string): string =>
  text.replace(/[\s\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]+/gu, ' ').trim();

/** A user's text with its line breaks. */
export const manyLines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '');
