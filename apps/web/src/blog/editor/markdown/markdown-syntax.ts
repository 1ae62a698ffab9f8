import { commonmarkLanguage, markdownKeymap, pasteURLAsLink } from '@codemirror/lang-markdown';
import { Language } from '@codemirror/language';
import { type Extension, Prec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { GFM, type MarkdownParser } from '@lezer/markdown';

/** Syntax that posts do not support; see markdown.ts in the API. */
const unsupported = ['SetextHeading', 'IndentedCode', 'HTMLBlock', 'HTMLTag', 'LinkReference'];

export const markdownParser = (commonmarkLanguage.parser as MarkdownParser).configure([
  GFM,
  { remove: unsupported },
]);

/**
 * Like `markdown()` of the package, but without the grammars of HTML, CSS and JavaScript, which
 * would add 57 kB (Brotli).
 */
export const markdownSyntax: Extension = [
  new Language(commonmarkLanguage.data, markdownParser, [], 'markdown'),
  pasteURLAsLink,
  Prec.high(keymap.of(markdownKeymap)),
];
