import { processWork } from '../server/process-work.ts';
import { cropToSquare } from './crop-to-square.ts';
import { resizePicture } from './resize-picture.ts';

/** What the process does with an image, by name. */
const work = { cropToSquare, resizePicture };

type ImageWork = typeof work;

export interface ImageTask {
  name: keyof ImageWork;
  bytes: Uint8Array;
}

/** A third of the server's share of a processor. */
const priority = 5;

export default processWork(priority, async ({ name, bytes }: ImageTask) => work[name](bytes));
