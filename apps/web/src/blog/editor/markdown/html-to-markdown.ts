import { gfm } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';

const turndown = new TurndownService({
  headingStyle: 'atx',
  hr: '---',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
});
turndown.use(gfm);
turndown.remove(['script', 'style', 'title', 'noscript', 'iframe', 'object', 'template']);

const formatted =
  'a[href],b,strong,i,em,h1,h2,h3,h4,h5,h6,ul,ol,blockquote,table,pre,code,img,del,s';
const linkable = /^(?:https?:|mailto:|tel:)/i;

/** Markdown of copied HTML; null if it has no formatting that Markdown could keep. */
export const markdownOf = (html: string): string | null => {
  // Loads no pictures and runs no scripts.
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  unwrapPlainBold(body);
  for (const link of body.querySelectorAll('a')) {
    if (!linkable.test(link.getAttribute('href') ?? '')) link.replaceWith(...link.childNodes);
  }
  for (const image of body.querySelectorAll('img')) {
    // Others are pictures of the device, or data.
    if (!/^https?:/i.test(image.getAttribute('src') ?? '')) image.remove();
  }
  return body.querySelector(formatted) ? turndown.turndown(body) : null;
};

/** Word processors mark bold text by its style; Google Docs has everything in an element `b`. */
const unwrapPlainBold = (body: HTMLElement): void => {
  for (const element of body.querySelectorAll<HTMLElement>('[data-weight], [data-italic]')) {
    const { weight, italic } = element.dataset;
    if (element.matches('b, strong') && weight === 'normal') {
      element.replaceWith(...element.childNodes);
    } else if (element.matches('span')) {
      wrap(element, weight === 'bold' ? 'strong' : null, italic ? 'em' : null);
    }
  }
};

const wrap = (element: HTMLElement, ...names: (string | null)[]): void => {
  for (const name of names) {
    if (!name) continue;
    const wrapper = element.ownerDocument.createElement(name);
    wrapper.append(...element.childNodes);
    element.append(wrapper);
  }
};

/** The policy blocks, and browsers report, the styles of a parsed text. */
const withoutStyles = (html: string): string =>
  html
    // What is in a template is not part of the document.
    .replace(/<(\/?)style\b/gi, '<$1template')
    .replace(/\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/gi, (_, double, single) => {
      const style = String(double ?? single);
      const weight = /font-weight:\s*(normal|400|bold|[6-9]00)/i.exec(style)?.[1];
      const italic = /font-style:\s*italic/i.test(style) ? ' data-italic="true"' : '';
      if (!weight) return italic;
      return `${italic} data-weight="${/normal|400/i.test(weight) ? 'normal' : 'bold'}"`;
    });
