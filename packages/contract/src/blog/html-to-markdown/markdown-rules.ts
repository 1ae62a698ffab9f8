import { childrenOf, type HtmlElement, isElement } from './dom.ts';

export const turndownOptions = {
  headingStyle: 'atx',
  hr: '---',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
  // Posts show a line feed as a line break.
  br: '',
} as const;

/** The Markdown of a task's checkbox; '' for other inputs. */
export function taskMark(input: HtmlElement): string {
  const isTask =
    input.getAttribute('type')?.toLowerCase() === 'checkbox' &&
    input.parentElement?.nodeName === 'LI';
  if (!isTask) return '';
  const space = /^\s/.test(input.nextSibling?.textContent ?? '') ? '' : ' ';
  return (input.hasAttribute('checked') ? '[x]' : '[ ]') + space;
}

function codeBlock(pre: HtmlElement): string {
  const code = (pre.textContent ?? '').replace(/\n$/, '');
  const longest = [...code.matchAll(/`+/g)].reduce((max, [run]) => Math.max(max, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}${languageOf(pre)}\n${code}\n${fence}\n\n`;
}

function languageOf(pre: HtmlElement): string {
  const classes = [pre, pre.firstElementChild, pre.parentElement]
    .map((element) => element?.getAttribute('class') ?? '')
    .join(' ');
  const named =
    /(?:^|\s)(?:lang(?:uage)?-|brush:\s*|highlight-(?:source|text)-)([\w+#-]{1,30})/.exec(classes);
  return (
    named?.[1] ?? (pre.getAttribute('data-language') ?? '').replace(/[^\w+#-]/g, '').slice(0, 30)
  );
}

const borders: Readonly<Record<string, string>> = { left: ':--', center: ':-:', right: '--:' };

function borderOf(cell: HtmlElement): string {
  const style = /text-align:\s*(left|center|right)/i.exec(cell.getAttribute('style') ?? '')?.[1];
  return borders[(cell.getAttribute('align') ?? style ?? '').toLowerCase()] ?? '---';
}

function tableRow(content: string, row: HtmlElement): string {
  const line = `\n${content}|\n`;
  if (row.parentNode?.firstChild !== row) return line;
  return `${line}${childrenOf(row)
    .filter(isElement)
    .map((cell) => `| ${borderOf(cell)} `)
    .join('')}|\n`;
}

/** A single line whose pipes are escaped, even in code (GFM, 4.10). */
function cellText(content: string): string {
  const line = content
    .split('\n')
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ');
  return line
    .split('|')
    .map((part, index, parts) =>
      index < parts.length - 1 && !isEscaping(part) ? `${part}\\` : part,
    )
    .join('|');
}

/** Whether a text ends with a backslash that escapes the next character. */
function isEscaping(text: string): boolean {
  let start = text.length;
  while (text[start - 1] === '\\') start -= 1;
  return (text.length - start) % 2 === 1;
}

/** Rules by element name, for HTML that `simplifyHtml` has simplified. */
export const markdownRules: readonly {
  names: readonly string[];
  replacement: (content: string, element: HtmlElement) => string;
}[] = [
  {
    names: ['del', 's', 'strike'],
    replacement: (content) => (content.trim() === '' ? '' : `~~${content}~~`),
  },
  { names: ['input'], replacement: (_, input) => taskMark(input) },
  { names: ['pre'], replacement: (_, pre) => codeBlock(pre) },
  { names: ['dt'], replacement: (content) => `\n\n**${content.trim()}**\n` },
  { names: ['dd'], replacement: (content) => `\n${content.trim()}\n\n` },
  { names: ['details', 'summary', 'table'], replacement: (content) => `\n\n${content.trim()}\n\n` },
  { names: ['tr'], replacement: tableRow },
  { names: ['td', 'th'], replacement: (content) => `| ${cellText(content).padEnd(3)} ` },
];
