// Runs in the threads of worker-pool.ts. Synchronous: a thread has nothing else to do.
import { writeFileSync } from 'node:fs';
import { stageFile, withParentFolder } from './atomic-files.ts';
import { siblingsOf } from './compression.ts';
import type { WriteJob, WriteReply } from './worker-pool.ts';

export default function write({ file, bytes, effort, as }: WriteJob): WriteReply {
  try {
    const files = Object.entries(siblingsOf(file, bytes, effort)).map(([ending, content]) => {
      const name = file + ending;
      if (as === 'staged') stageFile(name, content);
      else withParentFolder(name, () => writeFileSync(name, content));
      return name;
    });
    return { files };
  } catch (error) {
    // Between threads an error loses its code, which says whether the disk is full.
    const { message, code } = error as NodeJS.ErrnoException;
    return { error: { message, ...(code !== undefined && { code }) } };
  }
}
