import { unescapeHtml } from '@app/contract/blog/unescape-html';
import { lettersApart } from '../search/letters-apart.ts';

/**
 * A body without markup, as the search indexes it. All tags are well-formed, because text and
 * attributes are escaped.
 */
export const searchTextOf = (html: string): string =>
  lettersApart(
    unescapeHtml(
      html
        // Footnote links lose their text.
        .replace(/ role="doc-(?:noteref|backlink)" aria-label="[^"<>]*">[^<]*/g, '>')
        .replace(/<\/?(?:a|code|del|em|span|strong|sup)\b[^<>]*>/g, '')
        .replace(/<[^<>]*>/g, ' '),
    )
      .replace(/\s+/g, ' ')
      .trim(),
  );
