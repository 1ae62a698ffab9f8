import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { makeDataDir } from '../testing/blog.ts';
import { plainPicture } from '../testing/pictures.ts';
import { until } from '../testing/until.ts';
import { busy, createImageProcessor } from './image-processor.ts';

afterEach(() => void vi.restoreAllMocks());

/** An image processor whose decoder runs this code for each picture. */
function workWith(program: string) {
  const file = join(makeDataDir(), 'decoder.mjs');
  writeFileSync(file, `export default async (bytes) => { ${program} };`);
  return createImageProcessor(createLog('silent'), file);
}

test('returns the images that the child process produces', async () => {
  const work = createImageProcessor(createLog('silent'));
  const cropped = await work.cropToSquare(await plainPicture().png().toBuffer(), 'ann');
  expect(cropped).toEqual({ large: expect.any(Uint8Array), small: expect.any(Uint8Array) });
  expect(await work.resizePicture(await plainPicture(9, 6).png().toBuffer(), 'ann')).toMatchObject({
    width: 9,
    images: [{ format: 'avif' }, { format: 'webp' }],
  });
  expect(await work.cropToSquare(Buffer.from('text'), 'ann')).toEqual({ refused: 'unreadable' });
});

test.each(['SIGSEGV', 'SIGABRT', 'SIGKILL'])(
  'rejects a picture that crashes the decoder with %s',
  async (signal) => {
    const work = workWith(`process.kill(process.pid, '${signal}')`);
    expect(await work.cropToSquare(Buffer.from('x'), 'ann')).toEqual({ refused: 'unreadable' });
  },
);

test('rejects a picture when decoding times out', async () => {
  const timeout = new AbortController();
  const timeoutAfter = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const cropped = workWith('for (;;);').cropToSquare(Buffer.from('x'), 'ann');
  await until(() => timeoutAfter.mock.calls.length > 0);
  timeout.abort();
  expect(await cropped).toEqual({ refused: 'unreadable' });
  expect(timeoutAfter).toHaveBeenCalledWith(60_000);
});

test('throws instead of rejecting the picture if the decoder itself is broken', async () => {
  await expect(
    workWith('throw new Error("a bug")').cropToSquare(Buffer.from('x'), 'ann'),
  ).rejects.toThrow('a bug');
  const missing = createImageProcessor(createLog('silent'), '/no/such/decoder.mjs');
  await expect(missing.cropToSquare(Buffer.from('x'), 'ann')).rejects.toThrow(/decoder/);
});

test('accepts ten images at a time, and is busy for more', async () => {
  const folder = makeDataDir();
  const gate = join(folder, 'gate');
  const file = join(folder, 'decoder.mjs');
  writeFileSync(
    file,
    `import { existsSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    export default async () => {
      while (!existsSync(${JSON.stringify(gate)})) await setTimeout(5);
      return { refused: 'unreadable' };
    };`,
  );
  const work = createImageProcessor(createLog('silent'), file);
  const underway = Array.from({ length: 10 }, (_, index) =>
    work.cropToSquare(Buffer.from('x'), `account ${index}`),
  );
  expect(work.isFull()).toBe(true);
  expect(await work.cropToSquare(Buffer.from('x'), 'ann')).toBe(busy);
  writeFileSync(gate, '');
  expect(await Promise.all(underway)).toEqual(Array(10).fill({ refused: 'unreadable' }));
  expect(work.isFull()).toBe(false);
});

test('processes one image per account at a time, and queues two more', async () => {
  const folder = makeDataDir();
  const [gate, started] = [join(folder, 'gate'), join(folder, 'started')];
  const file = join(folder, 'decoder.mjs');
  writeFileSync(
    file,
    `import { appendFileSync, existsSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    export default async ({ bytes }) => {
      appendFileSync(${JSON.stringify(started)}, Buffer.from(bytes));
      while (!existsSync(${JSON.stringify(gate)})) await setTimeout(5);
      return { refused: 'unreadable' };
    };`,
  );
  const work = createImageProcessor(createLog('silent'), file);
  const ofAnn = ['a', 'A'].map((text) => work.resizePicture(Buffer.from(text), 'ann'));
  const third = work.resizePicture(Buffer.from('A'), 'ann');
  expect(await work.resizePicture(Buffer.from('A'), 'ann')).toBe(busy);
  const ofBob = work.resizePicture(Buffer.from('b'), 'bob');
  const begun = () =>
    existsSync(started) ? [...readFileSync(started, 'utf8')].sort().join('') : '';
  await until(() => begun() === 'ab');
  writeFileSync(gate, '');
  await Promise.all([...ofAnn, third, ofBob]);
  expect(begun()).toBe('AAab');
  expect(await work.resizePicture(Buffer.from('A'), 'ann')).toEqual({ refused: 'unreadable' });
});
