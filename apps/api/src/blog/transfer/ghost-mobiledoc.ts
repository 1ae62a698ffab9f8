import * as v from 'valibot';
import { type Card, cardToHtml, escaped, type Note, text } from './ghost-cards.ts';

/** Mobiledoc 0.3, the format of Ghost's former editor. */
const mobiledoc = v.object({
  atoms: v.optional(v.array(v.array(v.unknown())), []),
  cards: v.optional(v.array(v.array(v.unknown())), []),
  markups: v.optional(v.array(v.array(v.unknown())), []),
  sections: v.array(v.array(v.unknown())),
});
type Mobiledoc = v.InferOutput<typeof mobiledoc>;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textElements = /^(?:p|h[1-6]|blockquote|aside)$/;
const markupElements = /^(?:a|b|strong|i|em|s|del|u|code|sub|sup)$/;

/** @throws if the document has another format */
export function mobiledocToHtml(document: unknown, note: Note): string {
  const parsed = v.parse(mobiledoc, document);
  return parsed.sections.map((section) => sectionHtml(parsed, section, note)).join('\n');
}

function sectionHtml(
  document: Mobiledoc,
  [kind, name, content]: readonly unknown[],
  note: Note,
): string {
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
      return cardHtml(list(document.cards[Number(name)]), note);
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

const cardHtml = ([name, payload]: readonly unknown[], note: Note): string =>
  cardToHtml(text(name), (payload ?? {}) as Card, note);
