const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** A body without markup. Tags are well-formed, because text and attributes are escaped. */
export const searchTextOf = (html: string): string =>
  html
    // The text of these links.
    .replace(/ role="doc-(?:noteref|backlink)" aria-label="[^"<>]*">[^<]*/g, '>')
    .replace(/<\/?(?:a|code|del|em|span|strong|sup)\b[^<>]*>/g, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (escaped) => characters[escaped] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
