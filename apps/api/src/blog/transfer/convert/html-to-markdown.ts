/// <reference path="./domino.d.ts" />
import { escapeMarkdown } from '@app/contract/blog/html-to-markdown/escape-markdown';
import {
  markdownRules,
  taskMark,
  turndownOptions,
} from '@app/contract/blog/html-to-markdown/markdown-rules';
import { simplifyHtml } from '@app/contract/blog/html-to-markdown/simplify-html';
import { createDocument, type HtmlElement } from '@mixmark-io/domino';
import TurndownService from 'turndown';

/** What was changed. */
export type Notes = Set<string>;

const removed = ['script', 'style', 'title', 'noscript', 'template', 'head', 'svg', 'canvas'];
const forms = ['form', 'input', 'button', 'select', 'textarea'];
const embedded = ['iframe', 'video', 'audio', 'object', 'embed'];
/** Only their text is kept. */
const unsupported = ['sub', 'sup', 'mark', 'u', 'details', 'math', 'ruby'];

const linkable = /^(?:https?:|mailto:|tel:|\/(?!\/)|#)/i;
const loadable = /^(?:https?:|\/(?!\/)|\.{0,2}\/?[\w-])/i;
const isScheme = /^[a-z][a-z\d+.-]*:/i;

const attribute = (element: HtmlElement, name: string): string =>
  element.getAttribute(name)?.trim() ?? '';

/** On one line, as a title in quotes. */
const titleOf = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? '' : ` "${line.replace(/(["\\])/g, '\\$1')}"`;
};

const urlIn = (url: string): string =>
  url.replace(/[\s()<>\\]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  );

const textIn = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/([\\[\]`*_])/g, '\\$1')
    .trim();

function imageOf(image: HtmlElement, caption: string, notes: Notes): string {
  const source = attribute(image, 'src') || attribute(image, 'data-src');
  if (source === '') return '';
  const isOther = isScheme.test(source) && !/^https?:/i.test(source);
  if (isOther || !loadable.test(source)) {
    notes.add('A picture without an http(s) URL is left out.');
    return '';
  }
  return `![${textIn(attribute(image, 'alt'))}](${urlIn(source)}${titleOf(caption)})`;
}

/** Turndown's types refer to the browser's DOM. */
const elementOf = (node: unknown): HtmlElement => node as HtmlElement;

function createConverter(notes: Notes): TurndownService {
  const turndown = new TurndownService(turndownOptions);
  turndown.escape = escapeMarkdown;
  const rule = (
    names: readonly string[],
    replacement: (content: string, element: HtmlElement) => string,
  ) =>
    turndown.addRule(names.join(), {
      filter: (node) => names.includes(elementOf(node).nodeName.toLowerCase()),
      replacement: (content, node) => replacement(content, elementOf(node)),
    });
  for (const { names, replacement } of markdownRules) rule(names, replacement);
  rule(removed, (_, { nodeName }) => {
    const name = nodeName.toLowerCase();
    if (['script', 'svg', 'canvas'].includes(name)) notes.add(`<${name}> is left out.`);
    return '';
  });
  rule(forms, (_, element) => {
    const mark = taskMark(element);
    if (mark !== '') return mark;
    notes.add('A form is left out.');
    return '';
  });
  rule(embedded, (_, element) => {
    const source =
      attribute(element, 'src') ||
      attribute(element, 'data') ||
      attribute(element.querySelector('source') ?? element, 'src');
    const url = source.startsWith('//') ? `https:${source}` : source;
    const name = element.nodeName.toLowerCase();
    if (!linkable.test(url)) {
      notes.add(`<${name}> is left out.`);
      return '';
    }
    notes.add(`<${name}> became a link.`);
    return `\n\n[${textIn(attribute(element, 'title')) || textIn(url)}](${urlIn(url)})\n\n`;
  });
  rule(unsupported, (content, { nodeName }) => {
    notes.add(`Markdown has no <${nodeName.toLowerCase()}>: its text stays.`);
    return nodeName === 'DETAILS' || nodeName === 'MATH' ? `\n\n${content}\n\n` : content;
  });
  rule(['img'], (_, image) => imageOf(image, attribute(image, 'title'), notes));
  rule(['figure'], (content, figure) => {
    const images = Array.from(figure.querySelectorAll('img'));
    if (images.length === 0 || figure.querySelector('table, pre, blockquote, figure')) {
      return `\n\n${content}\n\n`;
    }
    const caption = figure.querySelector('figcaption')?.textContent ?? '';
    const last = images.length - 1;
    const lines = images.map((image, index) =>
      imageOf(image, index === last ? caption : '', notes),
    );
    return `\n\n${lines.filter(Boolean).join('\n\n')}\n\n`;
  });
  rule(['a'], (content, link) => {
    const href = attribute(link, 'href');
    const isEmpty = content.trim() === '';
    if (href === '' || isEmpty) return content;
    const url = href.startsWith('//') ? `https:${href}` : href;
    if (!linkable.test(url) && isScheme.test(url)) {
      notes.add('A link with another protocol lost its target.');
      return content;
    }
    // In Markdown, a link cannot contain blocks.
    return /\n\s*\n/.test(content.trim())
      ? content
      : `[${content.trim().replace(/\n/g, ' ')}](${urlIn(url)})`;
  });
  return turndown;
}

const validName = /^\/?(?:[a-z][\w-]*:)?[a-z][\w-]*$/i;

/** Domino throws at some element names that browsers accept. Such tags become text. */
const withoutOddNames = (html: string): string =>
  html.replace(/<(\/?[a-z][^\s/>]*)/gi, (tag, name) =>
    validName.test(name) ? tag : `&lt;${name}`,
  );

/** With an explicit tag, a `<frameset>` cannot replace the body (HTML, 13.2.6.4.7). */
const bodyOf = (html: string) =>
  createDocument(`<!doctype html><body>${withoutOddNames(html)}`).body;

/** @throws RangeError for too deeply nested elements */
export function htmlToMarkdown(html: string, notes: Notes): string {
  const body = bodyOf(html);
  simplifyHtml(body);
  return createConverter(notes).turndown(body as unknown as TurndownService.Node);
}

export const htmlToText = (html: string): string => bodyOf(html).textContent ?? '';
