import { describe, expect, it } from 'vitest';
import { summary, type Test, testsOf } from './report.mjs';

const test = (state: Test['state'], milliseconds = 0, name = 'a test'): Test => ({
  name,
  state,
  milliseconds,
});

describe('a report', () => {
  it('of Vitest lists its tests', () => {
    const assertionResults = [
      { fullName: 'one', status: 'passed', duration: 12 },
      { fullName: 'two', status: 'failed', duration: 3 },
      { fullName: 'three', status: 'pending' },
      { fullName: 'four', status: 'todo' },
      { fullName: 'five', status: 'passed', failureMessages: ['on the first try'] },
    ];
    expect(testsOf({ testResults: [{ name: '/app/a.test.ts', assertionResults }] })).toEqual([
      test('passed', 12, 'a.test.ts: one'),
      test('failed', 3, 'a.test.ts: two'),
      test('skipped', 0, 'a.test.ts: three'),
      test('skipped', 0, 'a.test.ts: four'),
      { ...test('flaky', 0, 'a.test.ts: five'), error: 'on the first try' },
    ]);
  });

  it('of Playwright includes the tests of nested suites', () => {
    const spec = (title: string, status: string, ...durations: number[]) => ({
      title,
      tests: [
        { projectName: 'phone', status, results: durations.map((duration) => ({ duration })) },
      ],
    });
    const inner = { title: 'inner', specs: [spec('two', 'flaky', 1, 2), spec('three', 'skipped')] };
    const suites = [{ title: 'a.spec.ts', specs: [spec('one', 'expected', 4)], suites: [inner] }];
    expect(testsOf({ suites })).toEqual([
      test('passed', 4, 'a.spec.ts: one (phone)'),
      test('flaky', 3, 'inner: two (phone)'),
      test('skipped', 0, 'inner: three (phone)'),
    ]);
  });
});

describe('the summary', () => {
  it('names the ten slowest tests', () => {
    const tests = Array.from({ length: 12 }, (_, n) => test('passed', n * 900, `test ${n}`));
    const lines = summary(tests).split('\n');
    expect(lines.slice(0, 2)).toEqual(['The slowest tests:', '   9.9 s  test 11']);
    expect(lines).not.toContain('   0.9 s  test 1');
  });

  it('names what failed, even once', () => {
    const tests = [test('failed', 0, 'one'), test('flaky', 0, 'two'), test('passed', 0, 'three')];
    const [, after] = summary(tests).split('\n\nFailed:\n');
    expect(after).toBe(
      '  one\n\nFlaky, which is a defect (failed, then passed on the second try):\n  two\n\n1 passed, 1 failed, 1 flaky',
    );
  });

  it('says why a test failed on its first try', () => {
    const flaky = { ...test('flaky', 0, 'two'), error: 'expected 1 to be 2\n\n  at a.ts' };
    expect(summary([flaky])).toContain('\n  two\n    expected 1 to be 2\n      at a.ts\n');
    const long = { ...flaky, error: 'line\n'.repeat(100) };
    expect(summary([long]).split('\n').length).toBeLessThan(30);
  });

  it('ends with the totals', () => {
    expect(summary([test('passed'), test('passed'), test('failed')])).toMatch(
      /\n2 passed, 1 failed$/,
    );
    expect(summary([test('skipped'), test('passed')])).toMatch(/\n1 passed, 0 failed, 1 skipped$/);
  });
});
