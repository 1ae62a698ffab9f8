import { history } from '@app/site/blog/history';
import { escapeHtml } from '../rendering/escape-html.ts';
import { compareTexts } from './compare-texts.ts';

const words = history.comparison;

const contextLines = 3;

/** Renders both texts as one, with `<del>` and `<ins>`. Long unchanged parts are folded. */
export function diffHtml(before: string, after: string): string {
  const parts = compareTexts(before, after);
  if (parts.every(({ change }) => !change))
    return parts.map(({ text }) => escapeHtml(text)).join('');
  return parts
    .map(({ text, change }, index) => {
      if (change === 'removed') return marked('del', words.removed, text);
      if (change === 'added') return marked('ins', words.added, text);
      const first = index === 0 ? 0 : contextLines;
      return folded(text, first, index === parts.length - 1 ? 0 : contextLines);
    })
    .join('');
}

/** Screen readers may not announce the elements. A change of line breaks would be invisible. */
const marked = (element: 'del' | 'ins', spoken: string, text: string): string => {
  const visible = text.trim() === '' ? text.replaceAll('\n', '↵\n') : text;
  return `<${element}>${hidden(spoken)}${escapeHtml(visible)}${hidden(words.end)}</${element}>`;
};

const hidden = (text: string): string => `<span class="sr-only">${text}</span>`;

function folded(text: string, first: number, last: number): string {
  const lines = text.split(/(?<=\n)/);
  const hiddenLines = lines.slice(first, lines.length - last);
  // Folding two lines into one line is not worth it.
  if (hiddenLines.length < 3) return escapeHtml(text);
  const join = (some: string[]) => escapeHtml(some.join(''));
  const summary = words.unchanged(hiddenLines.length);
  return `${join(lines.slice(0, first))}<details><summary>${summary}</summary><span>${join(hiddenLines)}</span></details>${join(lines.slice(lines.length - last))}`;
}
