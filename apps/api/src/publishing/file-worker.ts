// Runs in the threads of worker-pool.ts. Synchronous, because a thread does one job at a time.
import { readFileSync, writeFileSync } from 'node:fs';
import { discardStaged, renamePage, stageFile, withParentFolder } from '../files/atomic-files.ts';
import { siblingsOf } from './compression.ts';
import type { WriteJob, WriteReply } from './worker-pool.ts';

export default function write({ file, bytes, siblings, as }: WriteJob): WriteReply {
  const contents = Object.entries(
    typeof siblings === 'string'
      ? siblingsOf(file, bytes, siblings)
      : { '': bytes, ...readSiblings(siblings.from) },
  );
  const files: [string, ...string[]] = [
    file,
    ...contents.slice(1).map(([ending]) => file + ending),
  ];
  const writeFile = as === 'inPlace' ? writeInPlace : stageFile;
  try {
    for (const [ending, content] of contents) writeFile(file + ending, content);
    if (as === 'replacement') renamePage(files);
    return { files };
  } catch (error) {
    if (as !== 'inPlace') discardStaged(files);
    // Errors lose their `code` between threads, and it tells whether the disk is full.
    const { message, code } = error as NodeJS.ErrnoException;
    return { error: { message, ...(code !== undefined && { code }) } };
  }
}

/** Does nothing, so that a call only starts the thread. */
export const warmUp = (): null => null;

const readSiblings = (path: string): Record<'.br' | '.gz', Uint8Array> => ({
  '.br': readFileSync(`${path}.br`),
  '.gz': readFileSync(`${path}.gz`),
});

const writeInPlace = (file: string, content: Uint8Array): void =>
  withParentFolder(file, () => writeFileSync(file, content));
