import { withoutPunctuation } from '@app/contract/blog/bare-url';
import { parsePicturePath, pictureSrcset } from '@app/contract/blog/pictures';
import { countWords } from '@app/contract/blog/reading-time';
import { limits } from '@app/contract/limits';
import { postBody } from '@app/site/blog/post-body';
import { Marked, type Token, Tokenizer, type Tokens } from 'marked';
import cjkFriendly from 'marked-cjk-friendly';
import { decodeString } from 'micromark-util-decode-string';
import { escapeHtml } from './escape-html.ts';
import { createFootnotes } from './footnotes.ts';
import { createHeadings } from './headings.ts';
import { highlight } from './highlight.ts';

export interface RenderedMarkdown {
  html: string;
  /** The table of contents, as nested lists of links. Null for a short post. */
  outlineHtml: string | null;
  words: number;
  /** Whether the body has parts whose styles are in a separate stylesheet. */
  isRich: boolean;
}

const allowedProtocols = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Null for protocols that are not allowed. Paths on this site are allowed. */
const safeUrl = (url: string): string | null => {
  const parsed = URL.parse(url, 'https://this-site.invalid');
  return parsed && allowedProtocols.has(parsed.protocol) ? url : null;
};

const cell = (content: string, { header, align }: Tokens.TableCell): string => {
  const side = align ? ` class="${align}"` : '';
  // An empty corner cell is not a header.
  return header && content
    ? `<th scope="col"${side}>${content}</th>`
    : `<td${side}>${content}</td>`;
};

/** Disables a rule of the tokenizer. */
const leaveAsText = () => undefined;

/** Not with `/ +$/`, which takes quadratic time. */
function withoutSpacesAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

/** Backticks that begin no code stay together: fewer of them could begin some. */
const unmatched = (source: string): string => /^`+/.exec(source)?.[0] ?? source.slice(0, 1);

/** A bare URL in a text. */
const nextUrl = /(?<=[\s(])(?:https?:\/\/|www\.)[a-z\d]/gi;

function beforeNextUrl(text: string): string {
  nextUrl.lastIndex = 1;
  const found = nextUrl.exec(text);
  return found ? text.slice(0, found.index) : text;
}

/** Text with character references, but without escapes (CommonMark, 2.5). */
const decodeReferences = (text: string): string =>
  text.includes('&') ? decodeString(text.replaceAll('\\', '\\\\')) : text;

const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if ('tokens' in token && token.tokens) return plainText(token.tokens);
      if (token.type === 'br') return ' ';
      if (token.type === 'text') return decodeReferences(token.text);
      return token.type === 'escape' || token.type === 'codespan' ? token.text : '';
    })
    .join('');

/**
 * A tokenizer that leaves escapes in URLs and titles, which the default one removes without
 * decoding character references: afterwards, `\\&amp;` could not be told from `&amp;`.
 */
function withoutEscapes(tokenizer: Tokenizer): Tokenizer {
  const { rules } = tokenizer;
  const inline = { ...rules.inline, anyPunctuation: /(?!)/g };
  return Object.assign(Object.create(tokenizer), {
    rules: { ...rules, inline },
    link: Tokenizer.prototype.link,
  });
}

/** Removed from nested blocks. It cannot occur in text, whose quotes are escaped. */
const direction = ' dir="auto"';

/** An image, and the link around it. */
interface Picture {
  image: Tokens.Image;
  href: string | null;
}

/** Null for other tokens, and for images that cannot be shown. */
function pictureOf(token: Token, href: string | null = null): Picture | null {
  if (token.type === 'link' && token.tokens?.length === 1 && href === null) {
    return pictureOf(token.tokens[0] as Token, safeUrl(token['href']));
  }
  const isShown = token.type === 'image' && safeUrl(token['href']) !== null;
  return isShown ? { image: token as Tokens.Image, href } : null;
}

/** The images of a paragraph that has nothing else. Null if it has, or if none has a caption. */
function picturesOf(tokens: readonly Token[]): Picture[] | null {
  const content = tokens.filter(
    (token) => token.type !== 'br' && (token.type !== 'text' || token.text.trim() !== ''),
  );
  const pictures = content.map((token) => pictureOf(token)).filter((picture) => picture !== null);
  const areFigures =
    pictures.length === content.length && pictures.some(({ image }) => image.title);
  return areFigures ? pictures : null;
}

/** The width of the column of a post's text; see PostPage.astro. */
const bodySizes = '(min-width: 50rem) 46rem, calc(100vw - 2.5rem)';

function image(url: string, text: string): string {
  const alt = escapeHtml(text);
  const stored = parsePicturePath(url);
  if (!stored) return `<img src="${escapeHtml(url)}" alt="${alt}" loading="lazy">`;
  const { width, height } = stored;
  const srcset = (format: 'avif' | 'webp') =>
    `srcset="${pictureSrcset(stored, format)}" sizes="${bodySizes}"`;
  return `<picture><source type="image/avif" ${srcset('avif')}><img src="${url}" ${srcset('webp')} alt="${alt}" width="${width}" height="${height}" loading="lazy" decoding="async"></picture>`;
}

function figure({ image: { href, tokens, title }, href: target }: Picture): string {
  const caption = title ? `<figcaption${direction}>${escapeHtml(title)}</figcaption>` : '';
  const picture = image(href, plainText(tokens));
  const linked = target === null ? picture : `<a href="${escapeHtml(target)}">${picture}</a>`;
  return `<figure>${linked}${caption}</figure>\n`;
}

/** Without U+0000 (CommonMark, 2.3) and a byte order mark. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\uFFFD').replace(/^\uFEFF/, '');

/** Lets keyboards scroll a part that is too wide for narrow screens. */
const scrolls = (label: string): string => ` role="group" aria-label="${label}" tabindex="0"`;

/**
 * Renders a post's body as HTML: headings (never above h2), lists, pipe tables, bold and paragraphs
 * (spec §2), and other common Markdown such as links. The HTML is safe in a page, whatever the body
 * is: markup is escaped, links have only harmless protocols, and there are no `style` attributes.
 */
export function renderMarkdown(body: string): RenderedMarkdown {
  const headings = createHeadings();
  const footnotes = createFootnotes();
  let words = 0;
  let isRich = false;
  let highlighted = 0;
  let literal: Tokenizer | undefined;
  /** The number of quotes, lists and notes that contain the current block. */
  let depth = 0;

  function nested(render: () => string): string {
    depth += 1;
    const html = render();
    depth -= 1;
    return html.replaceAll(direction, '');
  }

  const marked = new Marked(cjkFriendly(), {
    // The editor's preview turns newlines into line breaks (spec §2).
    breaks: true,
    extensions: footnotes.extensions,
    tokenizer: {
      // HTML tags are shown as text.
      html: leaveAsText,
      tag: leaveAsText,
      code: leaveAsText,
      lheading: leaveAsText,
      def: leaveAsText,
      link(source) {
        if (source[0] !== '[' && source[0] !== '!') return undefined;
        literal ??= withoutEscapes(this);
        const token = literal.link(source);
        if (!token) return undefined;
        const title = token.title ? decodeString(token.title) : null;
        return { ...token, href: decodeString(token.href), title };
      },
      autolink(source) {
        const token = Tokenizer.prototype.autolink.call(this, source);
        return token && { ...token, href: decodeReferences(token.href) };
      },
      // The default rule scans the rest of the text for every line.
      br(source) {
        const [raw = ''] = /^(?:\\| *)\n[ \t]*/.exec(source) ?? [];
        return raw !== '' && raw.length < source.length ? { type: 'br', raw } : undefined;
      },
      url(source) {
        if (this.lexer.state.inLink) return undefined;
        const [found] = /^(?:https?:\/\/|www\.)[a-z\d][^\s<\]`]*/i.exec(source) ?? [];
        if (found === undefined) return undefined;
        const raw = withoutPunctuation(found);
        const url = decodeReferences(raw);
        const href = /^www\./i.test(raw) ? `https://${url}` : url;
        const text: Tokens.Text = { type: 'text', raw, text: raw, escaped: false };
        return { type: 'link', raw, href, text: raw, tokens: [text] };
      },
      // The default rule looks for URLs at every character, which takes half of the rendering time.
      inlineText(source) {
        const [plain = ''] = /^[^\\<![`*_~\n]+/.exec(source) ?? [];
        // Spaces at the end of a line belong to the break. Other spaces are consumed at once,
        // because taking them one by one would scan a long run of spaces again for each.
        const text = withoutSpacesAtEnd(plain) || plain || unmatched(source);
        const raw = beforeNextUrl(text);
        return raw ? { type: 'text', raw, text: raw, escaped: false } : undefined;
      },
    },
    renderer: {
      text(token) {
        if ('tokens' in token && token.tokens) return false;
        const text = token.type === 'escape' ? token.text : decodeReferences(token.text);
        words += countWords(text);
        return escapeHtml(text);
      },
      codespan({ text }) {
        words += countWords(text);
        return false;
      },
      // Each block, with its nested blocks, has the direction of its own script (HTML, dir="auto").
      paragraph({ tokens }) {
        const pictures = picturesOf(tokens);
        if (!pictures) return `<p${direction}>${this.parser.parseInline(tokens)}</p>\n`;
        isRich = true;
        return pictures.map(figure).join('');
      },
      list(token) {
        const { ordered, start, items } = token;
        const tag = ordered ? 'ol' : 'ul';
        const from = ordered && start !== '' && start !== 1 ? ` start="${start}"` : '';
        const lines = nested(() => items.map((item) => this.listitem(item)).join(''));
        return `<${tag}${direction}${from}>\n${lines}</${tag}>\n`;
      },
      listitem({ task, tokens }) {
        return `<li${task ? ' class="task"' : ''}>${this.parser.parse(tokens)}</li>\n`;
      },
      checkbox({ checked }) {
        isRich = true;
        const [label, state] = checked ? [postBody.done, ' checked'] : [postBody.toDo, ''];
        return `<input type="checkbox" disabled${state} aria-label="${label}"> `;
      },
      blockquote({ tokens }) {
        const blocks = nested(() => this.parser.parse(tokens));
        return `<blockquote${direction}>\n${blocks}</blockquote>\n`;
      },
      // The page's title is its only h1.
      heading(token) {
        const level = Math.min(Math.max(token.depth, 2), 6);
        const id = headings.add(level, plainText(token.tokens), depth === 0);
        const html = this.parser.parseInline(token.tokens);
        // Links cannot be nested.
        const linked = html.includes('<a ') ? html : `<a href="#${id}">${html}</a>`;
        return `<h${level} id="${id}"${direction}>${linked}</h${level}>\n`;
      },
      code({ text, lang = '' }) {
        isRich = true;
        const [language = ''] = /^\S+/.exec(decodeReferences(lang)) ?? [];
        const isHighlighted = highlighted + text.length <= limits.highlightedCode;
        if (isHighlighted) highlighted += text.length;
        const html = isHighlighted ? highlight(text, language) : escapeHtml(text);
        return `<pre dir="ltr"${scrolls(postBody.code)}><code>${html}\n</code></pre>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const url = safeUrl(href);
        return url === null ? text : `<a href="${escapeHtml(url)}">${text}</a>`;
      },
      image({ href, tokens }) {
        const text = plainText(tokens);
        return safeUrl(href) === null ? escapeHtml(text) : image(href, text);
      },
      // marked would write the obsolete align attribute.
      table({ header, rows }) {
        isRich = true;
        const row = (cells: Tokens.TableCell[]) =>
          `<tr>${cells.map((one) => cell(this.parser.parseInline(one.tokens), one)).join('')}</tr>`;
        return `<div class="table-frame"${scrolls(postBody.table)}><table${direction}><thead>${row(header)}</thead><tbody>${rows.map(row).join('')}</tbody></table></div>\n`;
      },
    },
  });

  const text = marked.parser(marked.lexer(withoutNul(body)));
  depth += 1;
  const notes = footnotes.section((tokens) => marked.parser(tokens));
  return {
    html: text + notes,
    outlineHtml: headings.outline(),
    words,
    isRich: isRich || notes !== '',
  };
}
