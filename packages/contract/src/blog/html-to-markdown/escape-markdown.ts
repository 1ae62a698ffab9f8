/**
 * Matches a bare URL, which stays as it is: posts link it, so a backslash would become part of the
 * link. Also matches a mark, a tilde that could end struck text, or the ampersand of an entity.
 */
const inText =
  /((?<![^\s(])(?:https?:\/\/|www\.)[a-z\d][^\s<\]`]*)|[\\*_`[\]]|(?<!\s)~|~(?=~)|&(?=#?\w+;)/gi;
const atStart = /^(?:[->]|=+|(?:\+|#{1,6}) )/;
const numberAtStart = /^(\d+)([.)] )/;

/** Escapes a text so that Markdown shows it unchanged. Takes linear time. */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(inText, (found, url) => url ?? `\\${found}`)
    .replace(atStart, '\\$&')
    .replace(numberAtStart, '$1\\$2');
