import { commonmarkLanguage, markdownKeymap, pasteURLAsLink } from '@codemirror/lang-markdown';
import { Language } from '@codemirror/language';
import { type Extension, Prec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { GFM, type MarkdownParser } from '@lezer/markdown';

/** The syntax that posts do not have, see markdown.ts of the API. */
const unsupported = ['SetextHeading', 'IndentedCode', 'HTMLBlock', 'HTMLTag', 'LinkReference'];

const parser = commonmarkLanguage.parser as MarkdownParser;

/** As `markdown()` of the language, without the grammars of HTML, CSS and JavaScript: 57 kB of Brotli. */
export const markdownSyntax: Extension = [
  new Language(
    commonmarkLanguage.data,
    parser.configure([GFM, { remove: unsupported }]),
    [],
    'markdown',
  ),
  pasteURLAsLink,
  Prec.high(keymap.of(markdownKeymap)),
];
