import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSteps, type Step } from './steps.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steps-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const step = (name: string, exitCode = 0): Step => ({ name, run: async () => exitCode });

/** A step that runs tests with these results. */
const tests = (name: string, exitCode: number, ...statuses: string[]): Step => {
  const report = join(folder, `${name}.json`);
  const run = async () => {
    const assertionResults = statuses.map((status) => ({ fullName: status, status }));
    writeFileSync(report, JSON.stringify({ testResults: [{ name, assertionResults }] }));
    return exitCode;
  };
  return { name, run, report };
};

/** @returns the exit code and the lines, with every time as 0.0 s */
const run = async (...groups: Step[][]) => {
  const lines: string[] = [];
  const exitCode = await runSteps(groups, (line) =>
    lines.push(...line.replaceAll(/\d+\.\d s/g, '0.0 s').split('\n')),
  );
  return { exitCode, lines };
};

describe('the steps', () => {
  it('print their times and the totals of their tests', async () => {
    const { exitCode, lines } = await run(
      [step('lint')],
      [step('types'), tests('unit', 0, 'passed', 'passed')],
      [tests('browser', 0, 'passed', 'pending')],
    );
    expect(exitCode).toBe(0);
    expect(lines).toEqual(
      expect.arrayContaining(['✓ lint: 0.0 s', '✓ types: 0.0 s', '✓ browser: 0.0 s']),
    );
    expect(lines.at(-1)).toBe('3 passed, 0 failed, 1 skipped');
  });

  it('stop after a group that fails, and still count the tests that ran', async () => {
    const { exitCode, lines } = await run(
      [step('types', 2), tests('unit', 1, 'passed', 'failed')],
      [tests('browser', 0, 'passed')],
    );
    expect(exitCode).toBe(1);
    expect(lines).toContain('✗ types: 0.0 s');
    expect(lines).toContain('✗ unit: 0.0 s');
    expect(lines.join()).not.toContain('browser');
    expect(lines.at(-1)).toBe('1 passed, 1 failed');
  });

  it('label the output of those that run at the same time', async () => {
    const labels: (string | undefined)[] = [];
    const noting = (name: string): Step => ({
      name,
      run: async (label) => void labels.push(label),
    });
    await run([noting('lint')], [noting('types'), noting('build')]);
    expect(labels).toEqual([undefined, 'types', 'build']);
  });

  it('print no totals before any test has run', async () => {
    const { exitCode, lines } = await run([step('lint', 1)]);
    expect(exitCode).toBe(1);
    expect(lines).toEqual(['✗ lint: 0.0 s']);
  });

  it.each([
    ['there is none', []],
    ['all are skipped', ['pending']],
  ])('fail when no test runs because %s', async (_why, statuses) => {
    const { exitCode, lines } = await run([tests('unit', 0, ...statuses)]);
    expect(exitCode).toBe(1);
    expect(lines).toContain('✗ unit: 0.0 s, and no test ran');
  });

  it('count a run that fails outside of any test as a failure', async () => {
    const { exitCode, lines } = await run([tests('unit', 1, 'passed')]);
    expect(exitCode).toBe(1);
    expect(lines.at(-1)).toBe('1 passed, 1 failed');
    const missing = { ...step('unit', 1), report: join(folder, 'missing.json') };
    expect((await run([missing])).lines.at(-1)).toBe('0 passed, 1 failed');
  });
});
