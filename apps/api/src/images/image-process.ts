import { processWork } from '../server/process-work.ts';
import { cropToSquare } from './crop-to-square.ts';
import { resizePicture } from './resize-picture.ts';

const work = { cropToSquare, resizePicture };

type ImageWork = typeof work;

export interface ImageTask {
  name: keyof ImageWork;
  bytes: Uint8Array;
}

/** Nice value: a third of the server's share of a CPU. */
const priority = 5;

export default processWork(priority, async ({ name, bytes }: ImageTask) => work[name](bytes));
