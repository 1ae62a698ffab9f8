import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { close, type Database } from '@app/db/open';
import { currentDatabase } from '@app/db/testing/shared-connection';
import { sharedCaughtUp } from '@app/db/testing/shared-databases';
import { openTestDatabase } from '@app/db/testing/test-database';
import * as v from 'valibot';
import { beforeEach, expect } from 'vitest';
import { findCommand } from '../cli/parse.ts';
import { runCommand } from '../cli/run.ts';
import type { Clock } from '../clock.ts';
import { commands } from '../commands.ts';
import { databaseSettings, MovingClock } from './test-app.ts';

interface CliSite {
  dataDir: string;
  clock: Clock;
  /** By default, the settings of the test database. */
  environment?: Record<string, string> | undefined;
  /** Receives standard error as it is written. */
  onError?(text: string): void;
}

/** Runs `pnpm cli` with these arguments in this process. */
export async function runCli(
  { dataDir, clock, environment = databaseSettings(dataDir), onError }: CliSite,
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
      onError?.(text);
    },
  });
  await sharedCaughtUp(join(dataDir, 'site.db'));
  return { exitCode, out, err };
}

/** @returns the result of a command that succeeds, checked against the schema that it declares */
export async function cliJson(site: CliSite, ...args: string[]): Promise<unknown> {
  const result: unknown = JSON.parse(await cliOutput(site, ...args, '--json'));
  const command = findCommand(commands, args);
  return command ? v.parse(command.result, result) : result;
}

/** @returns the output of a command that succeeds and reports nothing else */
export async function cliOutput(site: CliSite, ...args: string[]): Promise<string> {
  const { exitCode, out, err } = await runCli(site, ...args);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  return out;
}

const wordsOf = (line: string): string[] => line.split(' ').filter(Boolean);

/** Creates a site for each test of the file. Its database is open, as if a server were running. */
export function siteForEachTest() {
  let site: { dataDir: string; clock: MovingClock; db: Database };
  beforeEach(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cli-'));
    const db = currentDatabase(await openTestDatabase(join(dataDir, 'site.db')));
    site = { dataDir, clock: new MovingClock(), db };
    return () => {
      close(db);
      rmSync(dataDir, { recursive: true });
    };
  });
  return {
    get dataDir() {
      return site.dataDir;
    },
    get clock() {
      return site.clock;
    },
    get db() {
      return site.db;
    },
    get environment() {
      return databaseSettings(site.dataDir);
    },
    run: (line: string, environment?: Record<string, string>) =>
      runCli({ ...site, environment }, ...wordsOf(line)),
    output: (line: string) => cliOutput(site, ...wordsOf(line)),
    json: (line: string) => cliJson(site, ...wordsOf(line)),
  };
}
