import { readdirSync, readFileSync } from 'node:fs';

const everyMilliseconds = 100;

/**
 * Samples the memory of a process and its descendants: the sum of their proportional set sizes,
 * which count shared pages once (proc_pid_smaps(5)).
 * @returns a function that stops sampling and returns the peak in MB
 */
export function watchMemory(pid: number): () => number {
  let peak = 0;
  const timer = setInterval(() => {
    const sum = withDescendants(pid).reduce((total, each) => total + proportionalSize(each), 0);
    peak = Math.max(peak, sum);
  }, everyMilliseconds);
  return () => {
    clearInterval(timer);
    return Math.round(peak / 1024);
  };
}

/** Empty if the process has exited. */
export function withDescendants(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return [pid, ...children.flatMap((child) => withDescendants(Number(child)))];
  } catch {
    return [];
  }
}

/** In kB. */
function proportionalSize(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
