import { writeFileSync } from 'node:fs';
import { processWork } from '../server/process-work.ts';
import { cropToSquare } from './crop-to-square.ts';
import { resizePicture } from './resize-picture.ts';

/** What the process does with an image, by name. */
const work = { cropToSquare, resizePicture };

export type ImageWork = typeof work;

export interface ImageTask {
  name: keyof ImageWork;
  bytes: Uint8Array;
}

/** A third of the server's share of a processor. */
const priority = 5;

// When memory runs out, Linux kills this process instead of the server (proc_pid_oom_score_adj(5)).
if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');

export default processWork(priority, async ({ name, bytes }: ImageTask) => work[name](bytes));
