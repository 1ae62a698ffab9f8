import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inspectDatabase } from '@app/db/inspect';
import { close, type Database, open } from '@app/db/open';
import type { Clock } from '../clock.ts';
import { type Env, parseEnv } from '../env.ts';
import { type AnyCommand, type CommandArguments, CommandError, UsageError } from './command.ts';
import { createProgressBar, type Terminal } from './progress-bar.ts';

interface CommandRun {
  commands: readonly AnyCommand[];
  args: readonly string[];
  clock: Clock;
  /** By default the process's environment. */
  environment?: Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
  /** Where progress is shown. By default, nowhere. */
  terminal?: Terminal;
}

/**
 * Runs a command on the database of DATA_DIR. A server may be running.
 * @returns the exit code: 1 for failures, 2 for wrong usage
 */
export async function runCommand({
  commands,
  args,
  clock,
  environment,
  out,
  err,
  terminal,
}: CommandRun): Promise<number> {
  const bar = createProgressBar(terminal);
  try {
    if (args.length === 0) throw new UsageError('Specify a command.');
    if (args[0] === 'help' || args.includes('--help') || args.includes('-h')) {
      out(help(commands, args[0] ?? ''));
      return 0;
    }
    const { command, args: commandArgs } = parseCommand(commands, args);
    const { dataDir, emailTo } = readSettings(environment);
    const progress = (line: string) => err(`${line}\n`);
    const context = { dataDir, clock, progress, progressBar: bar.update };
    if ('runOnFolder' in command) {
      out(await command.runOnFolder(context, commandArgs));
      return 0;
    }
    const file = join(dataDir, 'site.db');
    const db = openDatabase(file, dataDir);
    try {
      const text = await command.run({ ...context, db, settings: { emailTo } }, commandArgs);
      bar.end();
      out(text);
    } catch (error) {
      throw explain(error, file);
    } finally {
      bar.end();
      close(db);
    }
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      err(`${error.message}\n\n${help(commands, args[0] ?? '')}`);
      return 2;
    }
    if (!(error instanceof CommandError)) throw error;
    err(`${error.message}\n`);
    return 1;
  }
}

function parseCommand(
  commands: readonly AnyCommand[],
  args: readonly string[],
): { command: AnyCommand; args: CommandArguments } {
  const command = commands.find(({ name }) =>
    name.split(' ').every((word, index) => args[index] === word),
  );
  if (!command) throw new UsageError(`There is no command "${args.slice(0, 2).join(' ')}".`);
  const options = Object.fromEntries(
    Object.entries(command.options).map(([option, kind]) => [
      option,
      { type: kind === 'flag' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(command.name.split(' ').length),
      options,
      allowPositionals: true,
    });
    return {
      command,
      args: {
        positionals,
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

/** Limited to a topic, such as outbox, if there is one. */
function help(commands: readonly AnyCommand[], topic: string): string {
  const own = commands.filter(({ name }) => `${name} `.startsWith(`${topic} `));
  const lines = (own.length > 0 ? own : commands).flatMap(({ name, usage, summary }) => [
    `  ${name} ${usage}`.trimEnd(),
    `      ${summary}`,
  ]);
  return [
    "Usage: pnpm cli <command>, with the server's settings (DATA_DIR).",
    '',
    ...lines,
    '',
  ].join('\n');
}

function readSettings(environment: CommandRun['environment']): Env {
  const result = parseEnv(environment);
  if ('problems' in result) {
    const problems = result.problems.map((problem) => `  ${problem}`).join('\n');
    throw new CommandError(`Invalid configuration:\n${problems}`);
  }
  return result.env;
}

function openDatabase(file: string, dataDir: string): Database {
  const found = inspect(file);
  if (found === 'missing' || found === 'empty') {
    throw new CommandError(
      `There is no database in DATA_DIR ${dataDir}: use the server's DATA_DIR, or start the server once.`,
    );
  }
  if (found === 'foreign') {
    throw new CommandError(`${file} belongs to another program: use the server's DATA_DIR.`);
  }
  if (found === 'newer') {
    throw new CommandError(`${file} was written by a newer version: use that version's CLI.`);
  }
  try {
    return open(file);
  } catch (error) {
    throw explain(error, file);
  }
}

function inspect(file: string): string {
  try {
    return inspectDatabase(file).state;
  } catch (error) {
    throw explain(error, file);
  }
}

function explain(error: unknown, file: string): unknown {
  const { code: given, message, cause } = error as Error & { code?: unknown };
  const code = typeof given === 'string' ? given : undefined;
  if (cause) return explain(cause, file);
  if (code?.startsWith('SQLITE_BUSY')) {
    return new CommandError('The database is busy: try again in a moment.');
  }
  return code?.startsWith('SQLITE_')
    ? new CommandError(
        `The database ${file} cannot be used (${message}): make sure that this user can write to it, and start this version of the server once.`,
      )
    : error;
}
