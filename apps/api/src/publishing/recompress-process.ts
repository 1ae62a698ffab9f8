import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { processWork } from '../server/process-work.ts';
import { compress } from './compression.ts';

export interface RecompressTask {
  file: string;
  /** Where its siblings are written, by file name suffix. */
  to: Record<'.br' | '.gz', string>;
}

/** Compresses a page again in a child process; see recompression.ts. */
export default processWork(
  constants.priority.PRIORITY_LOW,
  async ({ file, to }: RecompressTask): Promise<void> => {
    const { '.br': br, '.gz': gz } = compress(readFileSync(file), 'best');
    writeFileSync(to['.br'], br, { flush: true });
    writeFileSync(to['.gz'], gz, { flush: true });
  },
);
