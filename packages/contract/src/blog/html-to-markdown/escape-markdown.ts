/**
 * A bare URL: posts link it as it is, so a backslash in it would be part of the link. Or a mark, a
 * tilde that could end struck text, or the ampersand of an entity.
 */
const inText =
  /((?<![^\s(])(?:https?:\/\/|www\.)[a-z\d][^\s<\]`]*)|[\\*_`[\]]|(?<!\s)~|~(?=~)|&(?=#?\w+;)/gi;
const atStart = /^(?:[->]|=+|(?:\+|#{1,6}) )/;
const numberAtStart = /^(\d+)([.)] )/;

/** Text as Markdown that shows it unchanged. In time proportional to it. */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(inText, (found, url) => url ?? `\\${found}`)
    .replace(atStart, '\\$&')
    .replace(numberAtStart, '$1\\$2');
