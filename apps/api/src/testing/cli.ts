import { expect } from 'vitest';
import { runCommand } from '../cli/run.ts';
import type { Clock } from '../clock.ts';
import { commands } from '../features.ts';

interface CliSite {
  dataDir: string;
  clock: Clock;
  /** By default, DATA_DIR alone. */
  environment?: Record<string, string> | undefined;
}

/** Runs `pnpm cli` with these arguments in this process. */
export async function runCli(
  { dataDir, clock, environment = { DATA_DIR: dataDir } }: CliSite,
  ...args: string[]
) {
  let out = '';
  let err = '';
  const exitCode = await runCommand({
    commands,
    args,
    clock,
    environment,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { exitCode, out, err };
}

/** @returns the output of a command that succeeds and reports nothing else */
export async function cliOutput(site: CliSite, ...args: string[]): Promise<string> {
  const { exitCode, out, err } = await runCli(site, ...args);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  return out;
}
