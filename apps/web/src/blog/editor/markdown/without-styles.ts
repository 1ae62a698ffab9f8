/**
 * HTML without style elements and attributes: the policy blocks, and browsers report, those of a
 * parsed text. Bold and italic become data attributes.
 */
export const withoutStyles = (html: string): string =>
  html
    // What is in a template is not part of the document.
    .replace(/<(\/?)style\b/gi, '<$1template')
    .split('<')
    .map((part) => (/^[a-z]/i.test(part) ? inTag(part) : part))
    .join('<');

/** @param part from the name of an element to the next one */
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
  const weight = /font-weight:\s*(normal|400|bold|[6-9]00)/i.exec(style)?.[1];
  const italic = /font-style:\s*italic/i.test(style) ? ' data-italic="true"' : '';
  if (!weight) return italic;
  return `${italic} data-weight="${/normal|400/i.test(weight) ? 'normal' : 'bold'}"`;
}
