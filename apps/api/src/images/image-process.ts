import { processWork } from '../server/process-work.ts';
import { cpuTime, withCpuLimit } from './cpu-limit.ts';
import { cropToSquare } from './crop-to-square.ts';
import { type DecodeImage, decodeImage } from './decode-image.ts';
import { resizePicture } from './resize-picture.ts';

const work = { cropToSquare, resizePicture };

type ImageWork = typeof work;

export interface ImageTask {
  name: keyof ImageWork;
  bytes: Uint8Array;
}

export interface ImageDone<Result> {
  result: Result;
  /** In milliseconds. */
  cpuTime: number;
}

/** Nice value: a third of the server's share of a CPU. */
const priority = 5;

/**
 * CPU time. The largest images take two seconds on a slow core. Only decoding is limited: the time
 * that encoding takes depends on the sizes that we choose, not on the upload.
 */
const maxDecodingMilliseconds = 5_000;

const decode: DecodeImage = (...image) =>
  withCpuLimit(maxDecodingMilliseconds, () => decodeImage(...image));

export default processWork(priority, async ({ name, bytes }: ImageTask) => {
  const before = cpuTime();
  const result = await work[name](bytes, decode);
  return { result, cpuTime: cpuTime() - before };
});
