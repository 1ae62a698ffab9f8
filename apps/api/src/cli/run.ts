import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { close, type Database, open } from '@app/db/open';
import { company } from '@app/site/company';
import type { Clock } from '../clock.ts';
import { parseEnv } from '../env.ts';
import { type Command, CommandError, type Given, UsageError } from './command.ts';
import { outboxCommands } from './outbox.ts';
import { quarantineCommands } from './quarantine.ts';
import { staffCommands } from './staff.ts';
import { submissionCommands } from './submissions.ts';

const commands: readonly Command[] = [
  ...submissionCommands,
  ...quarantineCommands,
  ...outboxCommands,
  ...staffCommands,
];

export interface Call {
  args: readonly string[];
  clock: Clock;
  /** Where the settings are read from: the process's environment when not given. */
  environment?: Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
}

/**
 * Does what the arguments ask for, on the database of DATA_DIR, while a server works on it or
 * not: SQLite lets both read at once, and write in turns.
 * @returns the exit code: 1 when it cannot be done, 2 when it was not asked for rightly
 */
export async function runCommand({ args, clock, environment, out, err }: Call): Promise<number> {
  try {
    if (args.length === 0) throw new UsageError('Which command?');
    if (args[0] === 'help' || args.includes('--help') || args.includes('-h')) {
      out(help(args[0] ?? ''));
      return 0;
    }
    const { command, given } = understand(args);
    const { dataDir, mailTo } = readSettings(environment);
    const file = join(dataDir, 'site.db');
    const db = openDatabase(file, dataDir);
    try {
      out(await command.run({ db, clock, settings: { mailTo } }, given));
    } catch (error) {
      throw explain(error, file);
    } finally {
      close(db);
    }
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      err(`${error.message}\n\n${help(args[0] ?? '')}`);
      return 2;
    }
    if (!(error instanceof CommandError)) throw error;
    err(`${error.message}\n`);
    return 1;
  }
}

function understand(args: readonly string[]): { command: Command; given: Given } {
  const name = args.slice(0, 2).join(' ');
  const command = commands.find((each) => each.name === name);
  if (!command) throw new UsageError(`There is no command "${name}".`);
  const options = Object.fromEntries(
    Object.entries(command.options).map(([option, kind]) => [
      option,
      { type: kind === 'flag' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(2),
      options,
      allowPositionals: true,
    });
    return {
      command,
      given: {
        words: positionals,
        options: new Map(
          Object.entries(values).map(([option, value]) => [
            option,
            typeof value === 'string' ? value : '',
          ]),
        ),
      },
    };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code.startsWith('ERR_PARSE_ARGS_')) throw new UsageError(message);
    throw error;
  }
}

/** The help of one topic, such as outbox; of all of them for any other word. */
function help(topic: string): string {
  const own = commands.filter(({ name }) => name.startsWith(`${topic} `));
  const lines = (own.length > 0 ? own : commands).flatMap(({ name, usage, does }) => [
    `  ${name} ${usage}`.trimEnd(),
    `      ${does}`,
  ]);
  return [
    'Usage: pnpm cli <command>, with the settings that the server has (DATA_DIR).',
    '',
    ...lines,
    '',
  ].join('\n');
}

function readSettings(environment: Call['environment']): { dataDir: string; mailTo: string } {
  const result = parseEnv(environment);
  if ('problems' in result) {
    const problems = result.problems.map((problem) => `  ${problem}`).join('\n');
    throw new CommandError(`The settings need mending:\n${problems}`);
  }
  const { dataDir, mailTo } = result.env;
  return { dataDir, mailTo: mailTo ?? company.mailboxes.hello };
}

function openDatabase(file: string, dataDir: string): Database {
  if (!existsSync(file)) {
    throw new CommandError(
      `There is no database in DATA_DIR ${dataDir}: set it as the server has it, or start the server once.`,
    );
  }
  try {
    return open(file);
  } catch (error) {
    throw explain(error, file);
  }
}

/** SQLite's own errors in a sentence; everything else is left as it is. */
function explain(error: unknown, file: string): unknown {
  const { code, message, cause } = error as { code?: string; message: string; cause?: unknown };
  if (cause) return explain(cause, file);
  if (code?.startsWith('SQLITE_BUSY')) {
    return new CommandError('The database is being written to for long: try again in a moment.');
  }
  return code?.startsWith('SQLITE_')
    ? new CommandError(
        `The database ${file} cannot be used (${message}): see that this user may write it, and that this version of the server was started once.`,
      )
    : error;
}
