import {
  attribute,
  classesOf,
  type Element,
  type ElementContent,
  element,
  hasBlock,
  isBlank,
  isBlock,
  isElement,
  isNamed,
  isText,
  outermost,
  styleOf,
  text,
  textOf,
} from './hast.ts';

/** Line numbers of highlighters such as Prism, Rouge, Chroma, Pygments and highlight.js. */
const lineNumbers =
  /(?:^|[\s_-])(?:line-?num(?:ber)?s?(?:-rows)?|linenos?|lineno?s|lnt?|gutter|rouge-gutter|blob-num|crayon-nums?|hljs-ln-numbers|hljs-ln-n)(?=$|[\s_-])/i;

const isLineNumber = (node: Element): boolean =>
  /\b(?:-webkit-)?user-select:\s*none/i.test(styleOf(node)) ||
  (lineNumbers.test(classesOf(node)) && /^[\s\d]*$/.test(textOf(node)));

const isControl = (node: Element): boolean =>
  isNamed(node, 'button', 'clipboard-copy', 'svg', 'script', 'style', 'template');

const isCustom = ({ tagName }: Element): boolean =>
  tagName.includes('-') && !tagName.startsWith('footnote-');

const isCode = (node: Element): boolean => node.tagName === 'code';

const languageName = /^[\w+#.-]{1,30}$/;

/** The language that the classes of a block or of an element near it name. */
function languageOf(pre: Element, around: Element | undefined): string {
  const inner = outermost(pre.children, isCode)[0];
  const classes = [inner, pre, around].map((node) => (node ? classesOf(node) : '')).join(' ');
  const named =
    /(?:^|\s)(?:lang(?:uage)?-|brush:\s*|highlight-(?:source|text)-|sourceCode\s+)([\w+#-]{1,30})/.exec(
      classes,
    )?.[1];
  const data = [pre, inner, around]
    .map((node) => (node ? attribute(node, 'dataLanguage') || attribute(node, 'dataLang') : ''))
    .find((value) => languageName.test(value));
  return named ?? data ?? '';
}

/** What a page shows above a block of code: its language, or a button to copy it. */
function isHeader(node: ElementContent, language: string): boolean {
  if (!isElement(node)) return false;
  if (isControl(node)) return true;
  const label = textOf(node).trim();
  const hasButton = outermost(node.children, isControl).length > 0;
  const isLabel = language !== '' && label.toLowerCase() === language.toLowerCase();
  return (hasButton && label.length < 60 && !isNamed(node, 'p')) || isLabel;
}

function labelOf(header: ElementContent | undefined): string {
  if (!header) return '';
  const words = textWithoutControls(header).trim().toLowerCase();
  return languageName.test(words) ? words : '';
}

function textWithoutControls(node: ElementContent): string {
  if (!isElement(node)) return textOf(node);
  return isControl(node) ? '' : node.children.map(textWithoutControls).join('');
}

/** The lines of a block, without line numbers, headers and buttons. */
function codeText(pre: Element): { value: string; label: string } {
  const hasCode = outermost(pre.children, isCode).length > 0;
  let value = '';
  let label = '';
  const startLine = () => {
    if (value !== '' && !value.endsWith('\n')) value += '\n';
  };
  const read = (node: ElementContent, isInCode: boolean) => {
    if (isText(node)) value += node.value;
    if (!isElement(node) || isControl(node) || isLineNumber(node)) return;
    const isOwn = isInCode || isCode(node);
    // What a page shows above or below the code.
    if (hasCode && !isOwn && isBlock(node) && outermost([node], isCode).length === 0) {
      label ||= labelOf(node);
      return;
    }
    if (node.tagName === 'br') value += '\n';
    const isLine = isOwn || !hasCode ? isBlock(node) : false;
    if (isLine) startLine();
    for (const child of node.children) read(child, isOwn);
    if (isLine) startLine();
  };
  for (const child of pre.children) read(child, false);
  return { value, label };
}

/** Reduces a `pre` element to its lines, with the language as a class. */
export function simplifyPre(pre: Element, around?: Element, header?: ElementContent): Element {
  const { value, label } = codeText(pre);
  const language = languageOf(pre, around) || label || labelOf(header);
  const lines = value.replaceAll('\r\n', '\n').replace(/\n$/, '');
  const properties = language ? { className: [`language-${language}`] } : {};
  return element('pre', [element('code', [text(`${lines}\n`)], properties)]);
}

/**
 * A block of code from what surrounds it: a header with a button, or a table with line numbers in
 * its first column. Null for other elements.
 */
export function codeFrame(node: Element): Element | null {
  if (isNamed(node, 'table')) return codeTable(node);
  const isFrame = isNamed(node, 'div', 'section', 'figure', 'article');
  if (!isFrame && !isCustom(node)) return null;
  const pres = outermost(node.children, (inner) => isNamed(inner, 'pre'));
  const [pre] = pres;
  if (!pre || pres.length > 1) return null;
  const { parent, others } = surroundings(node, pre);
  const language = languageOf(pre, parent);
  if (!others.every((other) => isHeader(other, language))) return null;
  return simplifyPre(pre, parent, others[0]);
}

/** The parent of an element inside of another, and everything beside its ancestors. */
function surroundings(
  node: Element,
  inner: Element,
): { parent: Element; others: ElementContent[] } {
  const others: ElementContent[] = [];
  let parent = node;
  for (;;) {
    const next = parent.children.find(
      (child) => outermost([child], (each) => each === inner).length > 0,
    );
    others.push(...parent.children.filter((child) => child !== next && !isBlank(child)));
    if (!isElement(next) || next === inner) return { parent, others };
    parent = next;
  }
}

function codeTable(table: Element): Element | null {
  const cells = outermost(table.children, (node) => isNamed(node, 'td', 'th'));
  const isGutter = (cell: Element): boolean =>
    lineNumbers.test(classesOf(cell)) ||
    attribute(cell, 'dataLineNumber') !== '' ||
    outermost(cell.children, (node) => lineNumbers.test(classesOf(node))).length > 0;
  const numbers = cells.filter((cell) => isGutter(cell) && /^[\s\d]*$/.test(textOf(cell)));
  if (numbers.length === 0 || numbers.length === cells.length) return null;
  const lines = cells.filter((cell) => !numbers.includes(cell));
  if (hasBlock(lines.flatMap(({ children }) => children.filter((c) => !isNamed(c, 'pre', 'div')))))
    return null;
  const [first] = outermost(lines, (node) => node.tagName === 'pre');
  const value = lines.map((cell) => codeText(cell).value.replace(/\n$/, '')).join('\n');
  const language = first ? languageOf(first, table) : languageOf(table, undefined);
  const code = element(
    'code',
    [text(`${value}\n`)],
    language ? { className: [`language-${language}`] } : {},
  );
  return element('pre', [code]);
}
