// Runs in the threads of worker-pool.ts. Synchronous: a thread has nothing else to do.
import { writeFileSync } from 'node:fs';
import { stageFile, withParentFolder } from './atomic-files.ts';
import { siblingsOf } from './compression.ts';
import { type ExpectedFile, isIntact } from './verify-files.ts';
import type { FilesReply, WriteJob } from './worker-pool.ts';

export const write = ({ file, bytes, effort, as }: WriteJob): FilesReply =>
  replyWith(() =>
    Object.entries(siblingsOf(file, bytes, effort)).map(([ending, content]) => {
      const name = file + ending;
      if (as === 'staged') stageFile(name, content);
      else withParentFolder(name, () => writeFileSync(name, content));
      return name;
    }),
  );

export const verify = (files: readonly ExpectedFile[]): FilesReply =>
  replyWith(() => files.filter((file) => !isIntact(file)).map(({ file }) => file));

/** Between threads an error loses its code, which says whether the disk is full. */
function replyWith(work: () => string[]): FilesReply {
  try {
    return { files: work() };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { error: { message, ...(code !== undefined && { code }) } };
  }
}
