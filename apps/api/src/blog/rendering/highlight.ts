import { SugarHigh, tokenize } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';
import { escapeHtml } from './escape-html.ts';

/** Keys are the library's token types. Other tokens have the color of the text. */
const classes: Record<string, string> = {
  keyword: 'hl-keyword',
  string: 'hl-string',
  class: 'hl-value',
  property: 'hl-property',
  entity: 'hl-name',
  comment: 'hl-comment',
};

/** Code as HTML, with a class for each kind of token. Plain if the language is unknown. */
export function highlight(code: string, languageName: string): string {
  const id = lang(languageName);
  const language = languages.find((known) => known.id === id);
  if (!language) return escapeHtml(code);
  let html = '';
  let name: string | undefined;
  let text = '';
  const finish = () => {
    html += name ? `<span class="${name}">${escapeHtml(text)}</span>` : escapeHtml(text);
    text = '';
  };
  // Neighboring tokens with the same class share one element.
  for (const [type, token] of tokenize(code, language.config)) {
    const next = classes[SugarHigh.TokenTypes[type] ?? ''];
    if (next !== name) finish();
    name = next;
    text += token;
  }
  finish();
  return html;
}
