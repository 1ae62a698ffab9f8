import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Inspector } from '../../support/inspector.ts';
import type { SiteProcess } from '../../support/site-process.ts';
import { listFiles } from '../published-files.ts';

export interface Sample {
  /** In MB, after a garbage collection. Null in samples without one. */
  heap: number | null;
  /** In MB, of the server process. */
  memory: number;
  /** In MB, of the server's child processes. */
  children: number;
  handles: number;
  /** In MB. */
  wal: number;
  /** Published files. */
  files: number;
  /** CPU seconds of all processes since the start. */
  processor: number;
  /** Since the start. */
  requests: number;
}

const ticksPerSecond = 100;

/** CPU seconds of a process, and of its children that have ended. */
function processorTimes(pid: number): { own: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before it can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const sum = (...at: number[]) =>
    at.reduce((all, n) => all + Number(fields[n]), 0) / ticksPerSecond;
  return { own: sum(11, 12), ended: sum(13, 14) };
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    orNone(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'))
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );

/** Threads and processes can end while they are read. */
function orNone(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (/ENOENT|ESRCH/.test((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

function processesOf(pid: number): { children: number; processor: number } {
  const { own, ended } = processorTimes(pid);
  let [children, processor] = [0, own + ended];
  for (const child of childrenOf(pid)) {
    const status = orNone(() => readFileSync(`/proc/${child}/status`, 'utf8'));
    children += Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
    processor += Number(orNone(() => String(processorTimes(child).own)));
  }
  return { children, processor };
}

export async function takeSample(
  site: SiteProcess,
  requests: number,
  inspector: Inspector | null,
): Promise<Sample> {
  const { pid, dataDir } = site;
  const wal = statSync(join(dataDir, 'site.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
  return {
    memory: site.memory().now,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    wal: wal / 1_048_576,
    files: listFiles(join(dataDir, 'site')).length,
    requests,
    ...processesOf(pid),
    // Last, because a garbage collection changes the other figures.
    heap: inspector ? await inspector.liveHeap() : null,
  };
}
