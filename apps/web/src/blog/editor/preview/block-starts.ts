const fence = /^ {0,3}(```|~~~)/;
const heading = /^#{1,6}\s/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
const indented = /^\s+\S/;

/**
 * Offsets at which the top-level blocks of a Markdown text start. Empty lines do not end a code
 * block or a list. Only an estimate of what the renderer does.
 */
export const blockStartsOf = (text: string): number[] => {
  const starts: number[] = [];
  let offset = 0;
  let before: Line = { isEnd: true, isInList: false, fence: null };
  for (const line of text.split('\n')) {
    const next = readLine(line, before);
    if (next.isStart) starts.push(offset);
    before = next;
    offset += line.length + 1;
  }
  return starts;
};

interface Line {
  /** Whether the next line can start a block. */
  isEnd: boolean;
  isInList: boolean;
  /** The fence of the open code block. */
  fence: string | null;
}

const readLine = (line: string, before: Line): Line & { isStart: boolean } => {
  const mark = fence.exec(line)?.[1] ?? null;
  if (before.fence !== null) {
    const isClosed = mark === before.fence;
    return { ...before, fence: isClosed ? null : before.fence, isEnd: isClosed, isStart: false };
  }
  if (line.trim() === '') return { ...before, isEnd: true, isStart: false };
  const isOfList = before.isInList && (listItem.test(line) || indented.test(line));
  const isStart = before.isEnd && !isOfList;
  return {
    isStart,
    isInList: isStart ? listItem.test(line) : before.isInList,
    fence: mark,
    isEnd: heading.test(line),
  };
};
