import { Marked } from 'marked';
import { escapeHtml } from '../rendering/escape-html.ts';

/** A card of Ghost's editor: text and pictures that are no paragraph. */
export type Card = Readonly<Record<string, unknown>>;

/** Adds a sentence to the report. */
export type Note = (sentence: string) => void;

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const escaped = (value: unknown): string => escapeHtml(text(value));

const isCard = (value: unknown): value is Card => typeof value === 'object' && value !== null;
const cards = (value: unknown): readonly Card[] =>
  Array.isArray(value) ? value.filter(isCard) : [];

/** As Ghost renders Markdown. */
const marked = new Marked({ gfm: true, breaks: true });

const paragraph = (html: string): string => (html.trim() === '' ? '' : `<p>${html}</p>`);

/** Captions contain HTML. */
const withCaption = (content: string, caption: unknown): string =>
  content === '' && text(caption) === ''
    ? ''
    : `<figure>${content}<figcaption>${text(caption)}</figcaption></figure>`;

function image(source: unknown, alt: unknown = ''): string {
  return text(source) === '' ? '' : `<img src="${escaped(source)}" alt="${escaped(alt)}">`;
}

const linked = (html: string, url: unknown): string =>
  text(url) === '' ? html : `<a href="${escaped(url)}">${html}</a>`;

/** A paragraph with a link, whose label is text. */
const link = (url: unknown, label: unknown): string =>
  paragraph(linked(escaped(label) || escaped(url), url));

const figure = ({ src, alt, href, caption }: Card): string =>
  withCaption(linked(image(src, alt), href), caption);

function bookmark(card: Card): string {
  const metadata = isCard(card['metadata']) ? card['metadata'] : {};
  const { url, caption } = card;
  const title = text(metadata['title']) || card['title'];
  const description = text(metadata['description']) || card['description'];
  return link(url, title) + paragraph(escaped(description)) + paragraph(text(caption));
}

function header(card: Card): string {
  const { buttonEnabled, buttonUrl, buttonText, backgroundImageSrc } = card;
  const title = text(card['header']);
  return [
    image(backgroundImageSrc),
    title && `<h2>${title}</h2>`,
    paragraph(text(card['subheader'])),
    buttonEnabled ? link(buttonUrl, buttonText) : '',
  ].join('');
}

function product(card: Card): string {
  const { productImageSrc, productButtonEnabled, productUrl, productButton } = card;
  const rating = Math.min(5, Math.max(0, Math.round(Number(card['productStarRating'])) || 0));
  const title = text(card['productTitle']);
  return [
    image(productImageSrc),
    title && `<h4>${title}</h4>`,
    card['productRatingEnabled'] ? paragraph('★'.repeat(rating) + '☆'.repeat(5 - rating)) : '',
    // Its paragraphs.
    text(card['productDescription']),
    productButtonEnabled ? link(productUrl, productButton) : '',
  ].join('');
}

function callToAction(card: Card): string {
  const { hasSponsorLabel, sponsorLabel, imageUrl, textValue } = card;
  return [
    hasSponsorLabel ? text(sponsorLabel) : '',
    image(imageUrl),
    text(textValue),
    card['showButton'] === false ? '' : link(card['buttonUrl'], card['buttonText']),
  ].join('');
}

const code = ({ code: value, language, caption }: Card): string =>
  `<pre class="language-${escaped(language)}">${escaped(value)}</pre>${paragraph(text(caption))}`;

const media = ({ src, caption, ...card }: Card): string =>
  link(src, text(card['title']) || card['fileName']) + paragraph(text(caption));

const file = ({ src, fileTitle, fileName, fileCaption }: Card): string =>
  link(src, text(fileTitle) || fileName) + paragraph(escaped(fileCaption));

const leftOut =
  (what: string) =>
  (_: Card, note: Note): string => {
    note(`${what} is left out.`);
    return '';
  };

/** By the names in Lexical; some have another one in Mobiledoc. */
const converters: Readonly<Record<string, (card: Card, note: Note) => string>> = {
  html: ({ html }) => text(html),
  markdown: ({ markdown }) => marked.parse(text(markdown), { async: false }),
  codeblock: code,
  code,
  horizontalrule: () => '<hr>',
  hr: () => '<hr>',
  image: figure,
  gallery: ({ images, caption }) => cards(images).map(figure).join('') + paragraph(text(caption)),
  'before-after': ({ beforeImage, afterImage, caption }) =>
    cards([beforeImage, afterImage]).map(figure).join('') + paragraph(text(caption)),
  bookmark,
  embed: ({ url, html, caption }) =>
    (text(url) === '' ? text(html) : link(url, url)) + paragraph(text(caption)),
  video: media,
  audio: media,
  file,
  button: ({ buttonUrl, buttonText }) => link(buttonUrl, buttonText),
  callout: ({ calloutEmoji, calloutText }) =>
    `<blockquote><p>${escaped(calloutEmoji)} ${text(calloutText)}</p></blockquote>`,
  toggle: ({ heading, content }) => paragraph(`<strong>${text(heading)}</strong>`) + text(content),
  header,
  product,
  'call-to-action': callToAction,
  email: leftOut('Text that was only in emails'),
  'email-cta': leftOut('Text that was only in emails'),
  paywall: leftOut('The line above text for members'),
  signup: leftOut('A sign-up form'),
  transistor: leftOut('A list of podcasts for members'),
};

/**
 * Converts a card to HTML. Nothing vanishes without a note.
 * @param name such as `bookmark`
 */
export function cardToHtml(name: string, card: Card, note: Note): string {
  if (!isForVisitors(card['visibility'])) {
    note('A part that visitors did not see is left out.');
    return '';
  }
  const convert = converters[name.replace(/^card-/, '')];
  if (convert) return convert(card, note);
  const { html, url, src } = card;
  const rest = text(html) || link(text(url) || src, '');
  note(`The card "${name}" ${rest === '' ? 'is left out' : 'became its text or link'}.`);
  return rest;
}

/** Ghost has stored this in three forms. */
function isForVisitors(visibility: unknown): boolean {
  if (!isCard(visibility)) return true;
  const { web, emailOnly, showOnWeb } = visibility;
  if (isCard(web)) return web['nonMember'] === true;
  return emailOnly !== true && showOnWeb !== false;
}

const gated = { begin: '<!--kg-gated-block:begin', end: '<!--kg-gated-block:end-->' };

/** Removes the parts of rendered HTML that visitors did not see. */
export function withoutGatedBlocks(html: string, note: Note): string {
  const [start = '', ...blocks] = html.split(gated.begin);
  return blocks.reduce((shown, block) => {
    const [inner = '', ...after] = block.split(gated.end);
    if (/^[^>]*\bnonMember:true\b/.test(inner)) return shown + gated.begin + block;
    note('A part that visitors did not see is left out.');
    return shown + after.join(gated.end);
  }, start);
}
