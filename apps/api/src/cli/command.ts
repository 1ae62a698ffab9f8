import type { Database } from '@app/db/open';
import type { Clock } from '../clock.ts';

/** Without the database. */
interface FolderContext {
  /** Absolute. */
  dataDir: string;
  clock: Clock;
  /** Writes a line to standard error. */
  progress(line: string): void;
  /** On a terminal, until the command ends. */
  progressBar(done: number, all: number): void;
}

/** A server may use the same database at the same time. */
export interface CommandContext extends FolderContext {
  db: Database;
  settings: { emailTo: string };
}

export type Options = Readonly<Record<string, 'text' | 'flag'>>;

export interface CommandArguments {
  /** After the command's name. */
  positionals: readonly string[];
  /** Given options only; '' for a flag. */
  options: ReadonlyMap<string, string>;
}

interface CommandHelp {
  /** One word or two, such as 'outbox list'. */
  name: string;
  usage: string;
  summary: string;
  options: Options;
}

export interface Command extends CommandHelp {
  run(context: CommandContext, args: CommandArguments): Promise<string>;
}

/** A command that needs no database in DATA_DIR. */
export interface FolderCommand extends CommandHelp {
  runOnFolder(context: FolderContext, args: CommandArguments): Promise<string>;
}

export type AnyCommand = Command | FolderCommand;

/** Wrong usage: exit code 2. The message says what to change. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Exit code 1. The message is for the user. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** @throws {UsageError} for a value that is not a choice */
export function oneOf<const T extends string>(
  what: string,
  choices: readonly T[],
  value: string | undefined,
): T | undefined {
  const choice = choices.find((name) => name === value);
  if (choice === undefined && value !== undefined) {
    throw new UsageError(`"${value}" is not a valid ${what}: use ${choices.join(', ')}.`);
  }
  return choice;
}

export function limitOf({ options }: CommandArguments): number {
  const text = options.get('limit') ?? '50';
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--limit ${text}: expected a number from 1, such as 200.`);
}

export function expectAtMost(max: number, { positionals }: CommandArguments): void {
  const extra = positionals[max];
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`);
}
