import {
  attribute,
  classesOf,
  type Element,
  type ElementContent,
  element,
  isBlank,
  isElement,
  isNamed,
  outermost,
  textOf,
} from './hast.ts';
import { inlineContent } from './tables.ts';

/** With a character besides digits, joiners and variation selectors, which are not emoji alone. */
const emoji =
  /^(?=.*(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3))(?:\p{Extended_Pictographic}|\p{Emoji_Component}|\s)+$/u;
const shortcode = /^:[\w+-]{1,50}:$/;

/** The emoji that a picture shows, as in texts from Slack, WordPress or GitHub; '' for others. */
export function emojiOf(image: Element): string {
  const labels = ['alt', 'dataEmoji', 'ariaLabel', 'dataStringifyEmoji', 'title'].map((name) =>
    attribute(image, name),
  );
  const label = labels.slice(0, 3).find((each) => emoji.test(each));
  if (label !== undefined) return label.trim();
  const source = attribute(image, 'src');
  const hints = `${classesOf(image)} ${source} ${attribute(image, 'dataStringifyEmoji')}`;
  const code = labels.find((each) => shortcode.test(each));
  if (!/emoji|emoticon/i.test(hints) && code === undefined) return '';
  const [, codes] =
    /\/([\da-f]{4,6}(?:-[\da-f]{2,6})*)(?:@\dx)?\.(?:png|svg|gif|webp)/i.exec(source) ?? [];
  const points = (codes ?? '').split('-').map((code) => Number.parseInt(code, 16));
  if (codes !== undefined && points.every((point) => point <= 0x10ffff)) {
    const found = String.fromCodePoint(...points);
    if (emoji.test(found)) return found;
  }
  return code ?? '';
}

/** The largest candidate of a `srcset`. */
function largest(srcset: string): string {
  const candidates = srcset
    .split(/,\s+|,(?=https?:)/)
    .map((candidate) => candidate.trim().split(/\s+/))
    .map(([url = '', size = '1x']) => ({ url, size: Number.parseFloat(size) || 1 }));
  return candidates.reduce((best, each) => (each.size > best.size ? each : best), {
    url: '',
    size: 0,
  }).url;
}

/** The URL of a picture, also if a script would load it later. */
export function pictureUrl(image: Element, picture?: Element): string {
  for (const name of ['dataSrc', 'dataLazySrc', 'dataOriginal', 'dataOrigFile']) {
    if (attribute(image, name) !== '') return attribute(image, name);
  }
  const lazy =
    attribute(image, 'dataSrcSet') ||
    attribute(image, 'dataSrcset') ||
    attribute(image, 'dataLazySrcset');
  const source = attribute(image, 'src');
  if (
    source !== '' &&
    (lazy === '' || !source.startsWith('data:')) &&
    (!source.startsWith('data:') || !picture)
  )
    return source;
  const sources = picture ? outermost(picture.children, (node) => node.tagName === 'source') : [];
  const sets = [
    lazy,
    attribute(image, 'srcSet'),
    ...sources.flatMap((each) => [
      attribute(each, 'dataSrcSet') || attribute(each, 'dataSrcset'),
      attribute(each, 'srcSet'),
    ]),
  ];
  return sets.map(largest).find((url) => url !== '') ?? source;
}

const isPicture = (node: ElementContent): boolean =>
  isNamed(node, 'img', 'br') ||
  isBlank(node) ||
  (isNamed(node, 'a', 'picture', 'div', 'p', 'span') && node.children.every(isPicture));

const isImage = (node: Element): boolean => node.tagName === 'img';

/**
 * The caption becomes the title of the figure's last picture, which posts show below it. A caption
 * with links, and one of anything else, is a paragraph.
 */
export function simplifyFigure(figure: Element): ElementContent[] {
  const captions = captionsOf(figure);
  const content = withoutNodes(figure.children, captions);
  const images = outermost(content, isImage);
  const [caption] = captions;
  const last = images.at(-1);
  const isPlain =
    captions.length === 1 &&
    caption &&
    outermost(caption.children, (node) => isNamed(node, 'a', 'img')).length === 0;
  if (isPlain && last && content.every(isPicture)) {
    const title = inlineContent(caption.children).map(textOf).join('').replace(/\s+/g, ' ').trim();
    if (title !== '') last.properties = { ...last.properties, title };
    return separate(content);
  }
  const notes = captions.map(({ children }) => element('p', children));
  return [...separate(content), ...notes];
}

/** The captions of a figure, without those of figures inside of it. */
const captionsOf = (figure: Element): Element[] =>
  outermost(figure.children, (node) => isNamed(node, 'figcaption', 'figure')).filter(
    (node) => node.tagName === 'figcaption',
  );

function withoutNodes(
  nodes: readonly ElementContent[],
  removed: readonly Element[],
): ElementContent[] {
  return nodes
    .filter((node) => !removed.includes(node as Element))
    .map((node) =>
      isElement(node) && outermost(node.children, (inner) => removed.includes(inner)).length > 0
        ? { ...node, children: withoutNodes(node.children, removed) }
        : node,
    );
}

/** Each picture of a figure is a paragraph. */
const separate = (nodes: readonly ElementContent[]): ElementContent[] =>
  nodes.map((node) => (isNamed(node, 'img', 'a') ? element('p', [node]) : node));
