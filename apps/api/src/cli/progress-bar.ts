const width = 30;

export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Draws a bar on the last line of a terminal, which the end clears. Elsewhere, nothing. */
export function createProgressBar(terminal: Terminal | undefined) {
  let shown = '';

  function show(line: string): void {
    if (!terminal?.isTTY || line === shown) return;
    terminal.write(`\r\u001b[K${line}`);
    shown = line;
  }
  return {
    update(done: number, all: number): void {
      const share = all === 0 ? 1 : Math.min(done / all, 1);
      const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '-');
      const [first, last] = [done, all].map((count) => count.toLocaleString('en-US'));
      show(`[${bar}] ${first} of ${last}`);
    },

    end: (): void => show(''),
  };
}
