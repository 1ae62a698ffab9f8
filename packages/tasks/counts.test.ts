import { describe, expect, it } from 'vitest';
import { ofRun, playwrightCounts, sum, summary, vitestCounts } from './counts.mjs';

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
