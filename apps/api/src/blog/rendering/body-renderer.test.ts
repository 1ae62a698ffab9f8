import { readFileSync } from 'node:fs';
import { contentProblems } from '@app/contract/blog/post-content';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBodyRenderer, renderingBusy } from './body-renderer.ts';

/** Takes minutes to render. */
const endless = `${'*'.repeat(100_000)}a${'*'.repeat(100_000)}`;
const plain = 'The **lamp** is on.';
const html = '<p dir="auto">The <strong>lamp</strong> is on.</p>\n';
const body = { html, outlineHtml: null, words: 4, isRich: false, text: 'The lamp is on.' };

function makeRenderer(options: Parameters<typeof createBodyRenderer>[0] = {}) {
  const renderer = createBodyRenderer(options);
  onTestFinished(() => renderer.close());
  return renderer;
}

/** Ids of all render processes, including those of other renderers (proc_tid_children(5)). */
const processIds = (): number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('body-process'))
    .map(Number);

test('ends only the render that times out', async () => {
  const renderer = makeRenderer({ milliseconds: 500 });
  const results = await Promise.all([
    renderer.render(endless, 'eve'),
    renderer.render(plain, 'ann'),
    renderer.render(endless, 'eve'),
    renderer.render(plain, 'bob'),
    renderer.render(plain, 'eve'),
  ]);
  const tooComplex = { problem: contentProblems.tooComplex };
  expect(results).toEqual([tooComplex, body, tooComplex, body, body]);
});

test('does not count time in which the process is stopped', async () => {
  const others = processIds();
  const renderer = makeRenderer({ milliseconds: 500 });
  await renderer.render(plain, 'ann');
  const [pid = Number.NaN] = processIds().filter((id) => !others.includes(id));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  process.kill(pid, 'SIGSTOP');
  const result = renderer.render(plain, 'ann');
  vi.advanceTimersByTime(60_000);
  process.kill(pid, 'SIGCONT');
  expect(await result).toEqual(body);
});

test('a process started in advance renders the next text', async () => {
  const others = processIds();
  const renderer = makeRenderer();
  await Promise.all([renderer.warmUp(), renderer.warmUp()]);
  const started = processIds().filter((id) => !others.includes(id));
  expect(started).toHaveLength(1);
  expect(await renderer.render(plain, 'ann')).toEqual(body);
  expect(processIds().filter((id) => !others.includes(id))).toEqual(started);
});

test('a process for stored posts ends after seconds, one used by an author stays', async () => {
  const others = processIds();
  const started = () => processIds().filter((id) => !others.includes(id));
  const renderer = makeRenderer();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await renderer.renderStored([plain]);
  others.push(...started());
  vi.advanceTimersByTime(5_000);
  await renderer.render(plain, 'ann');
  const ofAuthor = started();
  expect(ofAuthor).toHaveLength(1);
  await renderer.renderStored([plain]);
  vi.advanceTimersByTime(5_000);
  await renderer.render(plain, 'ann');
  expect(started()).toEqual(ofAuthor);
});

test.each([
  ['deeply nested quotes', '>'.repeat(60_000), contentProblems.tooComplex],
  [
    'a table that fills the memory',
    `${'|a'.repeat(4_000)}|\n${'|-'.repeat(4_000)}|\n${'|\n'.repeat(8_000)}`,
    contentProblems.tooLarge,
  ],
  ['a text that grows within the limit', '"a'.repeat(100_000), null],
  ['a text that grows beyond the limit', '"&'.repeat(100_000), contentProblems.tooLarge],
])('survives unchecked content: %s', async (_, content, problem) => {
  const renderer = makeRenderer({ milliseconds: 60_000 });
  const result = await renderer.render(content, 'eve');
  expect(result).toMatchObject(problem === null ? { html: expect.any(String) } : { problem });
  expect(await renderer.render(plain, 'ann')).toEqual(body);
});

test('lets accounts take turns', async () => {
  const renderer = makeRenderer();
  const finished: string[] = [];
  const render = async (account: string) => {
    await renderer.render(plain, account);
    finished.push(account);
  };
  await Promise.all([...Array.from({ length: 20 }, () => render('eve')), render('ann')]);
  expect(finished.indexOf('ann')).toBeLessThan(4);
});

test('rejects an account with too many queued renders', async () => {
  const renderer = makeRenderer({ maxWaitingPerAccount: 2 });
  const ofEve = Array.from({ length: 5 }, () => renderer.render(plain, 'eve'));
  const ofAnn = renderer.render(plain, 'ann');
  const results = await Promise.all(ofEve);
  expect(results.filter((result) => result === renderingBusy)).toHaveLength(2);
  expect(await ofAnn).toEqual(body);
});

test.runIf(process.platform === 'linux')(
  'is killed before the server if memory runs out',
  async () => {
    const others = processIds();
    await makeRenderer().render(plain, 'ann');
    const [pid] = processIds().filter((id) => !others.includes(id));
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
  },
);

test('rejects an account for a minute when its texts have used up its time', async () => {
  const passed = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => void passed.mockRestore());
  const renderer = makeRenderer({ milliseconds: 200, maxPerMinute: 400 });
  for (const _ of [1, 2]) {
    expect(await renderer.render(endless, 'eve')).toEqual({ problem: contentProblems.tooComplex });
  }
  expect(await renderer.render(plain, 'eve')).toBe(renderingBusy);
  expect(await renderer.render(plain, 'ann')).toEqual(body);
  expect(await renderer.renderStored([plain])).toEqual([body]);
  passed.mockReturnValue(60_000);
  expect(await renderer.render(plain, 'eve')).toEqual(body);
});

test('rejects everyone when the queue is full', async () => {
  const renderer = makeRenderer({ maxWaiting: 3 });
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, n) => renderer.render(plain, `account ${n}`)),
  );
  expect(results).toContain(renderingBusy);
  expect(results[0]).toEqual(body);
  expect(await renderer.render(plain, 'ann')).toEqual(body);
});

test('a timeout in a batch of stored texts does not affect the others', async () => {
  const renderer = makeRenderer({ milliseconds: 500 });
  const contents = [plain, endless, plain];
  expect(await renderer.renderStored(contents)).toEqual([
    body,
    { problem: contentProblems.tooComplex },
    body,
  ]);
});

test('a render with the longer timeout does not block others', async () => {
  const renderer = makeRenderer({ milliseconds: 500 });
  let isOver = false;
  const slow = renderer.renderWithLongerTimeout(endless).finally(() => {
    isOver = true;
  });
  expect(await renderer.render(plain, 'ann')).toEqual(body);
  expect(isOver).toBe(false);
  expect(await slow).toEqual({ problem: contentProblems.tooComplex });
});
