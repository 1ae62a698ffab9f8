import { textOf } from '@app/contract/blog/html-to-markdown/hast';
import { parseHtml } from './parse-html.ts';

/** The text of an HTML fragment, such as a title. @throws RangeError if it is nested too deeply */
export const htmlToText = (html: string): string => textOf(parseHtml(html));
