import type { EditorState, TransactionSpec } from '@codemirror/state';
import { nodeAround } from './inline-syntax.ts';
import { structureOf } from './line-marks.ts';
import { markdownParser } from './markdown-syntax.ts';

/** Whether plain text is Markdown with several lines that would not work within another line. */
export const isMarkdownBlocks = (text: string): boolean =>
  text.trim().includes('\n') && firstBlock(text)?.name !== 'Paragraph';

/**
 * Replaces the selection. Blocks get lines of their own, with blank lines around them. List items
 * continue a list, and everything stays in the quote at the cursor.
 */
export const insertMarkdown = (state: EditorState, markdown: string): TransactionSpec => {
  const block = firstBlock(markdown);
  const isInLine = block?.name === 'Paragraph' && !block.nextSibling;
  if (isInLine) return state.replaceSelection(markdown);
  if (isInRow(state)) {
    const lines = markdown.split('\n').map((line) => line.trim());
    return state.replaceSelection(lines.filter(Boolean).join(' '));
  }
  const place = placeAt(state, markdown);
  const { quote, indent, marker, isContinued, isAtStart, after } = place;
  const startLine = `\n${quote}`;
  const blankLine = `\n${quote.trimEnd()}`;
  const newBlock = blankLine + startLine;
  const item = isContinued ? indent : '';
  const blankBefore = place.needsBlankBefore ? startLine : '';
  const opening = (isAtStart ? blankBefore : isContinued ? startLine : newBlock) + item;
  const body = markdown.trim().replaceAll('\n', startLine + item);
  const itemAfter = isContinued || isAtStart ? marker && indent + marker : '';
  const blankAfter = place.needsBlankAfter ? blankLine : '';
  const closing =
    after === '' ? blankAfter : (place.isContinuedAfter ? startLine : newBlock) + itemAfter + after;
  return {
    changes: { from: place.from, to: place.to, insert: opening + body + closing },
    selection: { anchor: place.from + opening.length + body.length },
  };
};

const placeAt = ({ doc, selection }: EditorState, markdown: string) => {
  const { from, to } = selection.main;
  const first = doc.lineAt(from);
  const last = doc.lineAt(to);
  const text = first.text.slice(0, from - first.from);
  const { quote, indent, length } = structureOf(text);
  const marker = isItem(text) ? text.slice(quote.length + indent.length, length) : '';
  const start = first.from + quote.length;
  const before = doc.sliceString(start, from).trimEnd();
  // An empty item is replaced.
  const isAtStart = before.trim() === '' || before.trim() === marker.trim();
  const lines = markdown.trim().split('\n');
  const previous = first.number > 1 ? doc.line(first.number - 1).text : '';
  const next = last.number < doc.lines ? doc.line(last.number + 1).text : '';
  const after = doc.sliceString(to, last.to).trimStart();
  const isText = (line: string) => line.trim() !== '' && line.trim() !== quote.trim();
  return {
    from: isAtStart ? start : start + before.length,
    to: last.to,
    ...{ quote, indent, marker, isAtStart },
    isContinued: isSameList(text, lines[0]),
    isContinuedAfter: isSameList(text, lines[0]) || isSameList(after, lines.at(-1)),
    after,
    needsBlankBefore: isText(previous) && !isSameList(previous, lines[0]),
    needsBlankAfter: isText(next) && !isSameList(next, lines.at(-1)),
  };
};

const isInRow = (state: EditorState): boolean => {
  const { from, to } = state.selection.main;
  const isOneLine = to <= state.doc.lineAt(from).to;
  return isOneLine && nodeAround(state, from, 'Table') !== null;
};

const firstBlock = (markdown: string) => markdownParser.parse(markdown.trim()).topNode.firstChild;

const isItem = (line: string): boolean => /bullets|numbers/.test(structureOf(line).mark ?? '');

const isSameList = (line: string, other = ''): boolean =>
  isItem(line) && structureOf(other).mark === structureOf(line).mark;
