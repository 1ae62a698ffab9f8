import * as v from 'valibot';
import { escapeHtml } from '../rendering/escape-html.ts';

/** Mobiledoc 0.3, the format of Ghost's former editor. */
const mobiledoc = v.object({
  atoms: v.optional(v.array(v.array(v.unknown())), []),
  cards: v.optional(v.array(v.array(v.unknown())), []),
  markups: v.optional(v.array(v.array(v.unknown())), []),
  sections: v.array(v.array(v.unknown())),
});
type Mobiledoc = v.InferOutput<typeof mobiledoc>;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const escaped = (value: unknown): string => escapeHtml(text(value));

const textElements = /^(?:p|h[1-6]|blockquote|aside)$/;
const markupElements = /^(?:a|b|strong|i|em|s|del|u|code|sub|sup)$/;

/** @throws if the document has another format */
export function mobiledocToHtml(document: unknown): string {
  const parsed = v.parse(mobiledoc, document);
  return parsed.sections.map((section) => sectionHtml(parsed, section)).join('\n');
}

function sectionHtml(document: Mobiledoc, [kind, name, content]: readonly unknown[]): string {
  switch (kind) {
    case 1: {
      const element = textElements.test(text(name)) ? text(name) : 'p';
      const tag = element === 'aside' ? 'blockquote' : element;
      return `<${tag}>${markersHtml(document, list(content))}</${tag}>`;
    }
    case 2:
      return `<img src="${escaped(name)}">`;
    case 3: {
      const tag = name === 'ol' ? 'ol' : 'ul';
      const items = list(content).map((item) => `<li>${markersHtml(document, list(item))}</li>`);
      return `<${tag}>${items.join('')}</${tag}>`;
    }
    case 10:
      return cardHtml(list(document.cards[Number(name)]));
    default:
      return '';
  }
}

function markersHtml(document: Mobiledoc, markers: readonly unknown[]): string {
  const open: string[] = [];
  let html = '';
  for (const marker of markers) {
    const [kind, opened, closed, value] = list(marker);
    for (const index of list(opened)) {
      const [name, attributes] = list(document.markups[Number(index)]);
      const tag = markupElements.test(text(name)) ? text(name) : 'span';
      const [attribute, target] = list(attributes);
      html += tag === 'a' && attribute === 'href' ? `<a href="${escaped(target)}">` : `<${tag}>`;
      open.push(tag);
    }
    html += kind === 1 ? atomHtml(list(document.atoms[Number(value)])) : escaped(value);
    for (let left = Number(closed); left > 0 && open.length > 0; left -= 1)
      html += `</${open.pop()}>`;
  }
  return html;
}

const atomHtml = ([name, value]: readonly unknown[]): string =>
  name === 'soft-return' ? '<br>' : escaped(value);

function cardHtml([name, payload]: readonly unknown[]): string {
  const card = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<
    string,
    unknown
  >;
  switch (name) {
    case 'html':
      return text(card['html']);
    case 'markdown':
    case 'card-markdown':
      return `<p>${escaped(card['markdown']).replace(/\n/g, '<br>')}</p>`;
    case 'code':
      return `<pre class="language-${escaped(card['language'])}">${escaped(card['code'])}</pre>`;
    case 'hr':
      return '<hr>';
    case 'image':
      return `<figure><img src="${escaped(card['src'])}" alt="${escaped(card['alt'])}"><figcaption>${text(card['caption'])}</figcaption></figure>`;
    case 'gallery':
      return list(card['images'])
        .map((image) => cardHtml(['image', image]))
        .join('');
    case 'embed':
    case 'bookmark':
      return `<p><a href="${escaped(card['url'])}">${escaped(card['url'])}</a></p>`;
    case 'callout':
      return `<blockquote>${text(card['calloutText'])}</blockquote>`;
    case 'toggle':
      return `<p><strong>${text(card['heading'])}</strong></p>${text(card['content'])}`;
    default:
      return '';
  }
}
