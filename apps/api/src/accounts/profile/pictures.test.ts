import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '../../log.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { plainPicture } from '../../testing/pictures.ts';
import { busy, createImageProcessor } from './pictures.ts';

afterEach(() => void vi.restoreAllMocks());

/** The work with a decoder that does this with each picture. */
function workWith(program: string) {
  const file = join(makeDataDir(), 'decoder.mjs');
  writeFileSync(file, `export default async (bytes) => { ${program} };`);
  return createImageProcessor(createLog('silent'), file);
}

test('pictures come back from the process that makes them', async () => {
  const work = createImageProcessor(createLog('silent'));
  const cropped = await work.crop(await plainPicture().png().toBuffer());
  expect(cropped).toEqual({ large: expect.any(Uint8Array), small: expect.any(Uint8Array) });
  expect(await work.crop(Buffer.from('text'))).toEqual({ refused: 'unreadable' });
});

test.each(['SIGSEGV', 'SIGABRT', 'SIGKILL'])(
  'a decoder that a picture breaks (%s) takes nothing along',
  async (signal) => {
    const work = workWith(`process.kill(process.pid, '${signal}')`);
    expect(await work.crop(Buffer.from('x'))).toEqual({ refused: 'unreadable' });
  },
);

test('one that never comes to an end is ended', async () => {
  const timeout = new AbortController();
  const timeoutAfter = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const cropped = workWith('for (;;);').crop(Buffer.from('x'));
  await vi.waitUntil(() => timeoutAfter.mock.calls.length > 0, { interval: 5 });
  timeout.abort();
  expect(await cropped).toEqual({ refused: 'unreadable' });
  expect(timeoutAfter).toHaveBeenCalledWith(30_000);
});

test('a decoder that is broken itself is not the picture’s fault', async () => {
  await expect(workWith('throw new Error("a bug")').crop(Buffer.from('x'))).rejects.toThrow(
    'a bug',
  );
  const missing = createImageProcessor(createLog('silent'), '/no/such/decoder.mjs');
  await expect(missing.crop(Buffer.from('x'))).rejects.toThrow(/decoder/);
});

test('two are worked on at a time and eight wait', async () => {
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
  const underway = Array.from({ length: 10 }, () => work.crop(Buffer.from('x')));
  // The queue lets its first ones go in a later turn.
  await vi.waitUntil(() => work.isFull(), { interval: 5 });
  expect(await work.crop(Buffer.from('x'))).toBe(busy);
  writeFileSync(gate, '');
  expect(await Promise.all(underway)).toEqual(Array(10).fill({ refused: 'unreadable' }));
  expect(work.isFull()).toBe(false);
});
