import { describe, expect, it } from 'vitest';
import {
  ofRun,
  playwrightCounts,
  playwrightDurations,
  slowest,
  sum,
  summary,
  vitestCounts,
  vitestDurations,
} from './counts.mjs';

describe('counts', () => {
  it('come from a Vitest report', () => {
    expect(
      vitestCounts({ numPassedTests: 7, numFailedTests: 1, numPendingTests: 2, numTodoTests: 3 }),
    ).toEqual({ passed: 7, failed: 1, skipped: 5 });
  });

  it('come from a Playwright report, where flaky is failed', () => {
    expect(
      playwrightCounts({ stats: { expected: 7, unexpected: 1, flaky: 2, skipped: 3 } }),
    ).toEqual({ passed: 7, failed: 3, skipped: 3 });
  });

  it('show a failure when a run failed without a failing test', () => {
    const counts = { passed: 7, failed: 0, skipped: 0 };
    expect(ofRun(counts, 1)).toEqual({ passed: 7, failed: 1, skipped: 0 });
    expect(ofRun(counts, 0)).toEqual(counts);
    expect(ofRun({ ...counts, failed: 3 }, 1)).toEqual({ ...counts, failed: 3 });
  });

  it('add up to one line', () => {
    const total = sum([
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 2, failed: 1, skipped: 4 },
    ]);
    expect(summary(total)).toBe('3 passed, 1 failed, 4 skipped');
    expect(summary({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
  });
});

describe('durations', () => {
  it('come from a Vitest report', () => {
    const assertionResults = [{ fullName: 'a test', duration: 12 }, { fullName: 'a skipped test' }];
    const report = { testResults: [{ name: '/app/a.test.ts', assertionResults }] };
    expect(vitestDurations(report)).toEqual([
      { name: 'a.test.ts: a test', milliseconds: 12 },
      { name: 'a.test.ts: a skipped test', milliseconds: 0 },
    ]);
  });

  it('come from a Playwright report, nested suites included', () => {
    const spec = (title: string, ...durations: number[]) => ({
      title,
      tests: [{ projectName: 'phone', results: durations.map((duration) => ({ duration })) }],
    });
    const inner = { title: 'inner', specs: [spec('two', 3)] };
    const report = {
      suites: [{ title: 'a.spec.ts', specs: [spec('one', 1, 2)], suites: [inner] }],
    };
    expect(playwrightDurations(report)).toEqual([
      { name: 'a.spec.ts: one (phone)', milliseconds: 3 },
      { name: 'inner: two (phone)', milliseconds: 3 },
    ]);
  });

  it('are shown of the ten slowest', () => {
    const durations = Array.from({ length: 12 }, (_, n) => ({
      name: `${n}`,
      milliseconds: n * 900,
    }));
    const lines = slowest(durations);
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('   9.9 s  11');
  });
});
