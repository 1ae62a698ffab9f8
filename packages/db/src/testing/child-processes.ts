import { readdirSync, readFileSync } from 'node:fs';

/** The ids of child processes whose command line contains a text. Linux only. */
export const childrenWith = (text: string, parent = process.pid): number[] =>
  readdirSync(`/proc/${parent}/task`)
    .flatMap((task) => read(`/proc/${parent}/task/${task}/children`).trim().split(' '))
    .filter((pid) => pid !== '' && read(`/proc/${pid}/cmdline`).includes(text))
    .map(Number);

/** False for processes that have ended, even if they are zombies. */
export const isRunning = (pid: number): boolean =>
  /^State:\s+[^ZX]/m.test(read(`/proc/${pid}/status`));

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
