import { readdirSync, readFileSync } from 'node:fs';

/** Of this process, on Linux: those whose command has this text. */
export const childrenWith = (text: string, parent = process.pid): number[] =>
  readdirSync(`/proc/${parent}/task`)
    .flatMap((task) => read(`/proc/${parent}/task/${task}/children`).trim().split(' '))
    .filter((pid) => pid !== '' && read(`/proc/${pid}/cmdline`).includes(text))
    .map(Number);

/** False for one that has ended and is only remembered by its parent. */
export const isRunning = (pid: number): boolean =>
  /^State:\s+[^ZX]/m.test(read(`/proc/${pid}/status`));

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
