import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { type InlineMark, inlineMarks, isMarkedAt } from './inline-marks.ts';
import { markedAround, markedIn, type SyntaxNode } from './inline-syntax.ts';
import type { LineMark } from './line-marks.ts';

/** The formatting at the cursor. */
export type Marks = Record<InlineMark | 'link' | LineMark, boolean>;

const nodes: Readonly<Record<string, keyof Marks>> = {
  FencedCode: 'code',
  Link: 'link',
  BulletList: 'bullets',
  OrderedList: 'numbers',
  Blockquote: 'quote',
};

export const marksAt = (state: EditorState): Marks => {
  const marks: Marks = {
    bold: false,
    italic: false,
    strikethrough: false,
    code: false,
    link: false,
    heading: false,
    bullets: false,
    numbers: false,
    quote: false,
  };
  const { head, empty } = state.selection.main;
  const around = empty ? markedAround(state, head) : markedIn(state, { from: head, to: head });
  for (const mark of inlineMarks) marks[mark] = isMarkedAt(state, around, mark);
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(head, -1);
  for (; node; node = node.parent) {
    const mark = node.name.startsWith('ATXHeading') ? 'heading' : nodes[node.name];
    if (mark) marks[mark] = true;
  }
  return marks;
};
