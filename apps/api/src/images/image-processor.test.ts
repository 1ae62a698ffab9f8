import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { createProcessPool, programFile } from '../server/process-pool.ts';
import { makeDataDir } from '../testing/blog.ts';
import { plainPicture } from '../testing/pictures.ts';
import { maxScans, progressiveJpeg } from '../testing/progressive-jpeg.ts';
import { MovingClock } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import type { ImageDone, ImageTask } from './image-process.ts';
import { createImageProcessor, type ImageFailure } from './image-processor.ts';

const log = createLog('silent');
const unreadable = { refused: 'unreadable' } satisfies ImageFailure;
const tooComplex = { refused: 'too-complex' } satisfies ImageFailure;

afterEach(() => void vi.restoreAllMocks());

/** An image processor whose decoder runs this code for each picture. */
function workWith(program: string, clock?: MovingClock) {
  const filename = join(makeDataDir(), 'decoder.mjs');
  writeFileSync(filename, `export default async ({ bytes }) => { ${program} };`);
  return createImageProcessor({ log, filename, ...(clock && { clock }) });
}

/** Its decoder records the bytes of each image that it starts with, and waits until `open`. */
function workBehindGate(
  end = `return { result: ${JSON.stringify(unreadable)}, cpuTime: 1 }`,
  clock?: MovingClock,
) {
  const folder = makeDataDir();
  const [gate, started] = [join(folder, 'gate'), join(folder, 'started')];
  writeFileSync(started, '');
  const work = workWith(
    `const { appendFileSync, existsSync } = await import('node:fs');
    const { setTimeout } = await import('node:timers/promises');
    appendFileSync(${JSON.stringify(started)}, Buffer.from(bytes));
    while (!existsSync(${JSON.stringify(gate)})) await setTimeout(5);
    ${end}`,
    clock,
  );
  return {
    ...work,
    send: (account: string) => work.resizePicture(Buffer.from(account.slice(0, 1)), account),
    started: () => readFileSync(started, 'utf8'),
    open: () => writeFileSync(gate, ''),
  };
}

test('returns the images that the child process produces', async () => {
  const work = createImageProcessor({ log });
  const cropped = await work.cropToSquare(await plainPicture().png().toBuffer(), 'ann');
  expect(cropped).toEqual({ large: expect.any(Uint8Array), small: expect.any(Uint8Array) });
  expect(await work.resizePicture(await plainPicture(9, 6).png().toBuffer(), 'ann')).toMatchObject({
    width: 9,
    images: [{ format: 'avif' }, { format: 'webp' }],
  });
  expect(await work.cropToSquare(Buffer.from('text'), 'ann')).toEqual(unreadable);
  const slow = progressiveJpeg({ width: 5_000, height: 5_000, scans: maxScans });
  expect(await work.cropToSquare(slow, 'ann')).toEqual(tooComplex);
  expect(await work.resizePicture(slow, 'ann')).toEqual(tooComplex);
});

test('decodes images in the same process until one ends it', async () => {
  const work = workWith(
    `if (bytes.length > 1) process.kill(process.pid, 'SIGSEGV');
    return { result: { pid: process.pid }, cpuTime: 1 };`,
  );
  const send = (image: string, account: string) => work.resizePicture(Buffer.from(image), account);
  const first = await send('x', 'ann');
  expect(first).toEqual({ pid: expect.any(Number) });
  for (const account of ['ann', 'bob', 'cid']) expect(await send('x', account)).toEqual(first);
  expect(await send('crash', 'eve')).toEqual(unreadable);
  const next = await send('x', 'ann');
  expect(next).toEqual({ pid: expect.any(Number) });
  expect(next).not.toEqual(first);
});

test('counts the CPU time of each image', async () => {
  const image = await plainPicture(1_000, 1_000).png().toBuffer();
  const pool = createProcessPool<ImageTask, ImageDone<unknown>>({
    ...{ filename: programFile('image-process', import.meta), maxThreads: 1, timeout: 60_000, log },
  });
  onTestFinished(() => pool.end());
  const times: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    times.push((await pool.run({ name: 'cropToSquare', bytes: image })).cpuTime);
  }
  const [first = 0, ...others] = times;
  expect(Math.min(...others)).toBeLessThan(first);
});

const isGlibc = 'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header;

test.runIf(isGlibc)('overwrites memory, so that no image can show parts of another', async () => {
  const work = workWith(
    'return { result: { memory: [...new Set(Buffer.allocUnsafeSlow(100_000))] }, cpuTime: 1 };',
  );
  const memory = { memory: [0xfe] };
  expect(await work.resizePicture(Buffer.from('x'), 'ann')).toEqual(memory);
});

test.each(['SIGSEGV', 'SIGABRT', 'SIGKILL'])(
  'rejects a picture that crashes the decoder with %s',
  async (signal) => {
    const work = workWith(`process.kill(process.pid, '${signal}')`);
    expect(await work.cropToSquare(Buffer.from('x'), 'ann')).toEqual(unreadable);
  },
);

test('rejects a picture whose decoder exceeds its CPU time', async () => {
  const work = workWith(`process.kill(process.pid, 'SIGXCPU')`);
  expect(await work.cropToSquare(Buffer.from('x'), 'ann')).toEqual(tooComplex);
});

test('rejects a picture when decoding times out', async () => {
  const timeout = new AbortController();
  const timeoutAfter = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const cropped = workWith('for (;;);').cropToSquare(Buffer.from('x'), 'ann');
  await until(() => timeoutAfter.mock.calls.length > 0);
  timeout.abort();
  expect(await cropped).toEqual(tooComplex);
  expect(timeoutAfter).toHaveBeenCalledWith(60_000);
});

test('throws instead of rejecting the picture if the decoder itself is broken', async () => {
  await expect(
    workWith('throw new Error("a bug")').cropToSquare(Buffer.from('x'), 'ann'),
  ).rejects.toThrow('a bug');
  const missing = createImageProcessor({ log, filename: '/no/such/decoder.mjs' });
  await expect(missing.cropToSquare(Buffer.from('x'), 'ann')).rejects.toThrow(/decoder/);
});

test('processes one image per account at a time, and queues two more', async () => {
  const work = workBehindGate();
  const ofAnn = Array.from({ length: 3 }, () => work.send('ann'));
  const refusal = { refused: 'too-many-at-once', retryAfterSeconds: 5 };
  expect(await work.send('ann')).toEqual(refusal);
  expect(work.refuse('ann')).toEqual(refusal);
  expect(work.refuse('bob')).toBeNull();
  const ofBob = work.send('bob');
  await until(() => work.started().length > 0);
  work.open();
  expect(await Promise.all([...ofAnn, ofBob])).toEqual(Array(4).fill(unreadable));
  // On two cores, one image after the other.
  expect(['abaa', 'baaa']).toContain(work.started());
  expect(work.refuse('ann')).toBeNull();
});

test('accounts take turns, however many images each of them has sent', async () => {
  const work = workBehindGate();
  const attackers = ['1', '2', '3', '4'].flatMap((account) =>
    Array.from({ length: 3 }, () => work.send(account)),
  );
  const ofAnn = work.send('ann');
  work.open();
  await ofAnn;
  // One image of each other account, and those that two processes have started since.
  expect(work.started().indexOf('a')).toBeLessThanOrEqual(5);
  await Promise.all(attackers);
  expect(work.started()).toHaveLength(13);
});

test('accepts images of sixteen accounts at a time, and is busy for more', async () => {
  const work = workBehindGate();
  const accounts = Array.from({ length: 16 }, (_, index) => `account ${index}`);
  const underway = accounts.map(work.send);
  expect(work.refuse('ann')).toEqual({ refused: 'busy', retryAfterSeconds: 5 });
  expect(await work.send('ann')).toEqual({ refused: 'busy', retryAfterSeconds: 5 });
  expect(work.refuse('account 0')).toBeNull();
  work.open();
  await Promise.all(underway);
  expect(work.refuse('ann')).toBeNull();
});

test('limits the CPU time of an account per hour', async () => {
  const clock = new MovingClock();
  const work = workWith(
    'return { result: { large: bytes, small: bytes }, cpuTime: 150_000 }',
    clock,
  );
  const send = (account: string) => work.cropToSquare(Buffer.from('x'), account);
  expect(await send('ann')).toHaveProperty('large');
  clock.move(60_000);
  expect(await send('ann')).toHaveProperty('large');
  expect(await send('ann')).toEqual({ refused: 'time-spent', retryAfterSeconds: 59 * 60 });
  expect(await send('bob')).toHaveProperty('large');
  clock.move(59 * 60_000);
  expect(await send('ann')).toHaveProperty('large');
});

test('counts the elapsed time of an image whose decoder ends', async () => {
  const clock = new MovingClock();
  const work = workBehindGate(`process.kill(process.pid, 'SIGXCPU')`, clock);
  const refused = work.send('ann');
  await until(() => work.started() !== '');
  clock.move(300_000);
  work.open();
  expect(await refused).toEqual(tooComplex);
  expect(work.refuse('ann')).toMatchObject({ refused: 'time-spent' });
});
