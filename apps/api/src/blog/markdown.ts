import { Marked, type Tokens } from 'marked';

const allowedProtocols = new Set(['http:', 'https:', 'mailto:', 'tel:']);

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

/** Null unless a link may lead there. Paths on this site may. */
const safeAddress = (address: string): string | null => {
  const url = URL.parse(address, 'https://this-site.invalid');
  return url && allowedProtocols.has(url.protocol) ? address : null;
};

const cell = (content: string, { header, align }: Tokens.TableCell): string => {
  const side = align ? ` class="${align}"` : '';
  // An empty corner cell is not a header.
  return header && content
    ? `<th scope="col"${side}>${content}</th>`
    : `<td${side}>${content}</td>`;
};

/** Disables syntax. */
const leaveAsText = () => undefined;

/** `/ +$/` takes quadratic time. */
function withoutSpacesAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

/** Nested elements have their own. Cannot occur in text, whose quotes are escaped. */
const direction = ' dir="auto"';

const marked = new Marked({
  tokenizer: {
    // HTML tags are shown as text.
    html: leaveAsText,
    tag: leaveAsText,
    code: leaveAsText,
    lheading: leaveAsText,
    def: leaveAsText,
    url: leaveAsText,
    // The default rule looks for URLs at every character, which takes half of the time.
    inlineText(source) {
      const [plain = ''] = /^[^\\<![`*_~\n]+/.exec(source) ?? [];
      // Spaces before the end of a line may be a line break. Those that are not are taken at once:
      // one by one, a long run of them would be walked through again and again.
      const raw = withoutSpacesAtEnd(plain) || plain || source.slice(0, 1);
      return raw ? { type: 'text', raw, text: raw, escaped: false } : undefined;
    },
  },
  renderer: {
    // Each block is laid out in the direction of its own script (HTML, dir="auto"), with all that is in it.
    paragraph({ tokens }) {
      return `<p${direction}>${this.parser.parseInline(tokens)}</p>\n`;
    },
    list(token) {
      const { ordered, start, items } = token;
      const tag = ordered ? 'ol' : 'ul';
      const from = ordered && start !== '' && start !== 1 ? ` start="${start}"` : '';
      const lines = items
        .map((item) => this.listitem(item))
        .join('')
        .replaceAll(direction, '');
      return `<${tag}${direction}${from}>\n${lines}</${tag}>\n`;
    },
    blockquote({ tokens }) {
      return `<blockquote${direction}>\n${this.parser.parse(tokens).replaceAll(direction, '')}</blockquote>\n`;
    },
    // The page's title is its only h1.
    heading({ tokens, depth }) {
      const level = Math.min(Math.max(depth, 2), 6);
      return `<h${level}${direction}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = safeAddress(href);
      return address === null ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
    },
    image({ href, text }) {
      const address = safeAddress(href);
      return address === null
        ? escapeHtml(text)
        : `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    // marked would write the obsolete align attribute. The frame scrolls on a narrow screen, by keyboard too.
    table({ header, rows }) {
      const row = (cells: Tokens.TableCell[]) =>
        `<tr>${cells.map((one) => cell(this.parser.parseInline(one.tokens), one)).join('')}</tr>`;
      return `<div class="table-frame" role="group" aria-label="Table" tabindex="0"><table${direction}><thead>${row(header)}</thead><tbody>${rows.map(row).join('')}</tbody></table></div>\n`;
    },
  },
});

/**
 * A post's body as HTML: headings (never above h2), lists, pipe tables, bold and
 * paragraphs (spec §2), and what else Markdown readers expect, such as links.
 * Safe to put into a page whatever the body is: markup in it is escaped, links
 * keep only harmless protocols, and nothing needs `style` attributes.
 */
export const renderMarkdown = (body: string): string => marked.parse(body, { async: false });
