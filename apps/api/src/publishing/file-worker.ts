// Runs in the threads of worker-pool.ts. Synchronous: a thread has nothing else to do.
import { writeFileSync } from 'node:fs';
import { discardStaged, renameStaged, stageFile, withParentFolder } from './atomic-files.ts';
import { siblingsOf } from './compression.ts';
import type { WriteJob, WriteReply } from './worker-pool.ts';

export default function write({ file, bytes, effort, as }: WriteJob): WriteReply {
  const siblings = Object.entries(siblingsOf(file, bytes, effort));
  const files = siblings.map(([ending]) => file + ending);
  const writeFile = as === 'inPlace' ? writeInPlace : stageFile;
  try {
    for (const [ending, content] of siblings) writeFile(file + ending, content);
    // The page last: a reader of the new page finds its siblings.
    if (as === 'replacement') renameStaged(files.toReversed());
    return { files };
  } catch (error) {
    // They would take up space on a full disk.
    if (as === 'replacement') discardStaged(files);
    // Between threads an error loses its code, which says whether the disk is full.
    const { message, code } = error as NodeJS.ErrnoException;
    return { error: { message, ...(code !== undefined && { code }) } };
  }
}

/** The thread has started. */
export const warmUp = (): null => null;

const writeInPlace = (file: string, content: Uint8Array): void =>
  withParentFolder(file, () => writeFileSync(file, content));
