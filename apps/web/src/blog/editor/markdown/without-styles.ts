/**
 * Renames the style elements and attributes of HTML. The CSP would block them in the parsed
 * document, which browsers would report.
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
        name.toLowerCase() === 'style' ? ` data-style=${value || '""'}` : attribute,
    );
  return `${tag}${part.slice(end)}`;
}
