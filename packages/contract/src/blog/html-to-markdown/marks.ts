import { type Element, styleOf } from './hast.ts';

/** Formatting that Markdown has. */
export type Mark = 'strong' | 'em' | 'del' | 'code';

const elements: Readonly<Record<string, Mark>> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  var: 'em',
  del: 'del',
  s: 'del',
  strike: 'del',
  code: 'code',
  kbd: 'code',
  samp: 'code',
  tt: 'code',
};

const bolder = /^(?:bold|[6-9])/i;

/**
 * The marks of the text in an element: those around it, that of the element, and those of its
 * style. Word processors use styles only, and Google Docs puts everything into a `b` element whose
 * style is not bold.
 */
export function marksIn(node: Element, around: readonly Mark[]): readonly Mark[] {
  const marks = new Set(around);
  const own = elements[node.tagName];
  const style = styleOf(node);
  if (own) marks.add(own);
  if (style === '' || /^(?:h[1-6]|th)$/.test(node.tagName)) return [...marks];
  const weight = /(?:^|[;\s])font-weight:\s*(normal|bold|bolder|\d00)/i.exec(style)?.[1];
  if (weight) change(marks, 'strong', bolder.test(weight));
  const slant = /(?:^|[;\s])font-style:\s*(normal|italic|oblique)/i.exec(style)?.[1];
  if (slant) change(marks, 'em', slant.toLowerCase() !== 'normal');
  const lines = /(?:^|[;\s])text-decoration(?:-line)?:\s*([^;]+)/i.exec(style)?.[1];
  if (lines && /line-through/i.test(lines)) marks.add('del');
  // A style cannot end the line of an element around it.
  else if (lines && own === 'del' && !around.includes('del')) marks.delete('del');
  return [...marks];
}

function change(marks: Set<Mark>, mark: Mark, isAdded: boolean): void {
  if (isAdded) marks.add(mark);
  else marks.delete(mark);
}
