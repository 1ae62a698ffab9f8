import { escapeMarkdown } from '@app/contract/blog/html-to-markdown/escape-markdown';
import { markdownRules, turndownOptions } from '@app/contract/blog/html-to-markdown/markdown-rules';
import { simplifyHtml } from '@app/contract/blog/html-to-markdown/simplify-html';
import TurndownService from 'turndown';
import { withoutStyles } from './without-styles.ts';
import { toLists } from './word-lists.ts';

const turndown = new TurndownService(turndownOptions);
turndown.escape = escapeMarkdown;
for (const { names, replacement } of markdownRules) {
  turndown.addRule(names.join(), {
    filter: ({ nodeName }) => names.includes(nodeName.toLowerCase()),
    replacement,
  });
}
turndown.remove(['script', 'style', 'title', 'noscript', 'iframe', 'object', 'template']);

const formatted =
  'a[href],b,strong,i,em,h1,h2,h3,h4,h5,h6,ul,ol,blockquote,table,pre,code,img,del,s';
const linkable = /^(?:https?:|mailto:|tel:)/i;

/** Converts copied HTML to Markdown. Null if it has no formatting that Markdown supports. */
export const markdownOf = (html: string): string | null => {
  // Does not load pictures or run scripts.
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  toLists(body);
  unwrapPlainBold(body);
  for (const link of body.querySelectorAll('a')) {
    if (!linkable.test(link.getAttribute('href') ?? '')) link.replaceWith(...link.childNodes);
  }
  for (const image of body.querySelectorAll('img')) {
    // Other images are local files or data URLs.
    if (!/^https?:/i.test(image.getAttribute('src') ?? '')) image.remove();
  }
  if (!body.querySelector(formatted)) return null;
  simplifyHtml(body);
  return turndown.turndown(body);
};

/** Word processors use styles for bold text, and Google Docs wraps everything in a `b` element. */
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
