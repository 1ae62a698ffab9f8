/** Posts link them as they are, so a backslash before an underscore would be part of the link. */
const bareUrl = '(?<![^\\s(])(?:https?:\\/\\/|www\\.)[a-z\\d][^\\s<\\]`]*';

/** A tilde that could end struck text, or is one of several; an ampersand of an entity. */
const inText = '[\\\\*_`[\\]]|(?<!\\s)~|~(?=~)|&(?=#?\\w+;)';

const inner = new RegExp(`(${bareUrl})|${inText}`, 'gi');
const atStart = /^(?:[->]|=+|(?:\+|#{1,6}) )/;
const numberAtStart = /^(\d+)([.)] )/;

/** Text as Markdown that shows it unchanged. In time proportional to it. */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(inner, (found, url) => url ?? `\\${found}`)
    .replace(atStart, '\\$&')
    .replace(numberAtStart, '$1\\$2');
