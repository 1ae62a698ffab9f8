/** Called with a step that begins, or with the share of the step that is done, from 0 to 1. */
export type Progress = (what: string | number) => void;

export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

const width = 30;

/**
 * Writes steps as lines. On a terminal, the share is a bar below them, until the next step or the
 * end.
 */
export function createProgress(terminal: Terminal | undefined, writeLine: (line: string) => void) {
  let shown = '';

  function draw(bar: string): void {
    if (!terminal?.isTTY || bar === shown) return;
    terminal.write(`\r\u001b[K${bar}`);
    shown = bar;
  }
  const end = (): void => draw('');

  const report: Progress = (what) => {
    if (typeof what === 'string') {
      end();
      writeLine(what);
      return;
    }
    const percent = Math.floor(Math.min(Math.max(what || 0, 0), 1) * 100);
    const done = '#'.repeat(Math.floor((percent * width) / 100)).padEnd(width, '-');
    draw(`[${done}] ${percent} %`);
  };
  return { report, end };
}
