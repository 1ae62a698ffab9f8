import { unescapeHtml } from '@app/contract/blog/unescape-html';

/** A body without markup. Tags are well-formed, because text and attributes are escaped. */
export const searchTextOf = (html: string): string =>
  unescapeHtml(
    html
      // The text of these links.
      .replace(/ role="doc-(?:noteref|backlink)" aria-label="[^"<>]*">[^<]*/g, '>')
      .replace(/<\/?(?:a|code|del|em|span|strong|sup)\b[^<>]*>/g, '')
      .replace(/<[^<>]*>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim();
