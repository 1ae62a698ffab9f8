import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';

function watch(isTTY: boolean) {
  const written: string[] = [];
  const terminal = { isTTY, write: (text: string) => written.push(text) };
  const progress = createProgress(terminal, (line) => written.push(`${line}\n`));
  return { ...progress, written };
}

const clear = '\r\u001b[K';

test('draws a bar below the step, and clears it for the next step', () => {
  const { report, end, written } = watch(true);
  report('Copying …');
  report(0.5);
  report('Checking …');
  report(1);
  end();
  expect(written).toEqual([
    'Copying …\n',
    `${clear}[${'#'.repeat(15)}${'-'.repeat(15)}] 50 %`,
    clear,
    'Checking …\n',
    `${clear}[${'#'.repeat(30)}] 100 %`,
    clear,
  ]);
});

test('draws once per percent', () => {
  const { report, written } = watch(true);
  for (let done = 0; done < 100_000; done += 1) report(done / 100_000);
  expect(written).toHaveLength(100);
});

test.each([
  [Number.NaN, 0],
  [-1, 0],
  [7, 100],
])('shows a share of %d as %d %', (share, percent) => {
  const { report, written } = watch(true);
  report(share);
  expect(written.join()).toMatch(new RegExp(` ${percent} %$`));
});

test('writes only steps if there is no terminal', () => {
  const { report, end, written } = watch(false);
  report('Copying …');
  report(0.5);
  end();
  expect(written).toEqual(['Copying …\n']);
});
