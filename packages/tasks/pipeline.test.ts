import { describe, expect, it } from 'vitest';
import { Failure } from './failure.mjs';
import { type Result, runSteps, together } from './pipeline.mjs';

const step = (name: string, result: Result | Error) => ({
  name,
  work: async () => {
    if (result instanceof Error) throw result;
    return result;
  },
});

const counts = (passed: number, failed = 0, skipped = 0) => ({ passed, failed, skipped });

/** @returns the exit code, and what was told, with every time as 0.0 s */
const run = async (...steps: ReturnType<typeof step>[]) => {
  const lines: string[] = [];
  const exitCode = await runSteps(steps, (line) =>
    lines.push(line.trim().replace(/\d+\.\d s/, '0.0 s')),
  );
  return { exitCode, lines };
};

describe('the steps', () => {
  it('tell their times, and the sum of their tests last', async () => {
    const { exitCode, lines } = await run(
      step('lint', { exitCode: 0 }),
      step('unit', { exitCode: 0, counts: counts(12) }),
      step('browser', { exitCode: 0, counts: counts(3, 0, 1) }),
    );
    expect(exitCode).toBe(0);
    expect(lines).toContain('✓ lint: 0.0 s');
    expect(lines.at(-1)).toBe('15 passed, 0 failed, 1 skipped');
  });

  it('stop at the first that fails, and still count what ran', async () => {
    const { exitCode, lines } = await run(
      step('unit', { exitCode: 1, counts: counts(12, 2) }),
      step('browser', { exitCode: 0, counts: counts(3) }),
    );
    expect(exitCode).toBe(1);
    expect(lines).toContain('✗ unit: 0.0 s');
    expect(lines.join()).not.toContain('browser');
    expect(lines.at(-1)).toBe('12 passed, 2 failed');
  });

  it('give no sum when no test was to run yet', async () => {
    const { exitCode, lines } = await run(step('lint', { exitCode: 1 }));
    expect(exitCode).toBe(1);
    expect(lines.at(-1)).toBe('✗ lint: 0.0 s');
  });

  it('fail when tests were to run and none did', async () => {
    const { exitCode, lines } = await run(step('unit', { exitCode: 0, counts: counts(0, 0, 4) }));
    expect(exitCode).toBe(1);
    expect(lines).toContain('No test ran, and a run without tests proves nothing.');
    expect(lines.at(-1)).toBe('0 passed, 0 failed, 4 skipped');
  });

  it('tell a failure in its words and keep the sum last', async () => {
    const { exitCode, lines } = await run(
      step('unit', { exitCode: 0, counts: counts(12) }),
      step('build', new Failure('The disk is full: make room.')),
    );
    expect(exitCode).toBe(1);
    expect(lines).toContain('The disk is full: make room.');
    expect(lines.at(-1)).toBe('12 passed, 0 failed');
  });

  it('name the slowest tests before the sum', async () => {
    const durations = [{ name: 'a test', milliseconds: 1_234 }];
    const { lines } = await run(step('unit', { exitCode: 0, counts: counts(1), durations }));
    expect(lines.slice(-2)).toEqual(['The slowest tests:\n   0.0 s  a test', '1 passed, 0 failed']);
  });

  it('done together fail when one of them fails', async () => {
    const unit = step('unit', { exitCode: 0, counts: counts(12) });
    const both = [step('types', { exitCode: 2 }), unit];
    const { exitCode, lines } = await run(together(both));
    expect(exitCode).toBe(1);
    expect(lines).toContain('✗ types, unit: 0.0 s');
    expect(lines.at(-1)).toBe('12 passed, 0 failed');
    const broken = together([step('build', new Failure('The disk is full.')), unit]);
    expect((await run(broken)).lines).toContain('The disk is full.');
  });

  it('tell a mistake with its stack', async () => {
    const { exitCode, lines } = await run(step('build', new TypeError('undefined is no function')));
    expect(exitCode).toBe(1);
    expect(lines.join('\n')).toMatch(/TypeError: undefined is no function\n\s+at /);
  });
});
