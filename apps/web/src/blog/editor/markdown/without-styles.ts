/**
 * Removes style elements and attributes from HTML. The CSP would block them in the parsed document,
 * which browsers would report. Bold, italic and Word's lists become data attributes.
 */
export const withoutStyles = (html: string): string =>
  html
    // The content of a template is not part of the document.
    .replace(/<(\/?)style\b/gi, '<$1template')
    .split('<')
    .map((part) => (/^[a-z]/i.test(part) ? inTag(part) : part))
    .join('<');

/** @param part HTML from the name of a tag up to the next tag */
function inTag(part: string): string {
  const end = part.indexOf('>');
  if (end === -1) return part;
  const tag = part
    .slice(0, end)
    .replace(
      /\s([^\s=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"']+))?/g,
      (attribute, name: string, value = '') =>
        name.toLowerCase() === 'style' ? marksOf(value) : attribute,
    );
  return `${tag}${part.slice(end)}`;
}

function marksOf(style: string): string {
  return italicOf(style) + weightOf(style) + listOf(style);
}

const italicOf = (style: string): string =>
  /font-style:\s*italic/i.test(style) ? ' data-italic="true"' : '';

function weightOf(style: string): string {
  const weight = /font-weight:\s*(normal|400|bold|[6-9]00)/i.exec(style)?.[1];
  if (!weight) return '';
  return ` data-weight="${/normal|400/i.test(weight) ? 'normal' : 'bold'}"`;
}

function listOf(style: string): string {
  const [, level, marker] = /mso-list:\s*(?:\w+\s+level([1-9])|(ignore))/i.exec(style) ?? [];
  if (level) return ` data-list-level="${level}"`;
  return marker ? ' data-list-marker' : '';
}
