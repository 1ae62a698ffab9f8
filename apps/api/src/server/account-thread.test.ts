import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeDataDir } from '../testing/blog.ts';
import { createAccountThread } from './account-thread.ts';

/** Tasks wait until `open` is called. Each returns its name and how many have run so far. */
function heldThread() {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const file = join(makeDataDir(), 'worker.mjs');
  writeFileSync(
    file,
    `let ran = 0;
    export default ({ gate, name }) => { Atomics.wait(gate, 0, 0); ran += 1; return { name, ran }; };`,
  );
  const run = createAccountThread<
    { gate: Int32Array; name: string },
    { name: string; ran: number }
  >(file);
  return {
    run: (account: string, name = account) => run(account, { gate, name }),
    open(): void {
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
    },
  };
}

test('alternates between accounts and limits the tasks of each', async () => {
  const { run, open } = heldThread();
  const ofAnn = Array.from({ length: 21 }, () => run('ann'));
  expect(await run('ann')).toBeNull();
  const ofBob = run('bob');
  open();
  expect((await ofBob)?.ran).toBeLessThanOrEqual(2);
  expect((await Promise.all(ofAnn)).map((result) => result?.name)).toEqual(Array(21).fill('ann'));
  expect((await run('ann'))?.ran).toBe(23);
});

test('limits how many accounts wait at a time', async () => {
  const { run, open } = heldThread();
  const many: ReturnType<typeof run>[] = [];
  for (let account = 0; account < 40; account += 1) {
    many.push(run(`account ${account}`));
    await nextTurn();
  }
  open();
  const results = await Promise.all(many);
  expect(results.filter((result) => result !== null).length).toBeLessThanOrEqual(22);
  expect(results).toContain(null);
});
