import type { Database } from '@app/db/open';
import type { Clock } from '../clock.ts';

/** What commands work with. */
export interface FolderDesk {
  /** An absolute path. */
  dataDir: string;
  clock: Clock;
  /** Tells the person who waits how far it is: a line on standard error. */
  progress(line: string): void;
}

/** With the database that a server may be working on at the same time. */
export interface Desk extends FolderDesk {
  db: Database;
  settings: {
    /** Who receives contact and career notices. */
    mailTo: string;
  };
}

/** An option's values are texts, or true for one that takes none. */
export type Options = Readonly<Record<string, 'text' | 'flag'>>;

export interface Given {
  /** What stands after the command's name. */
  words: readonly string[];
  /** The texts of the options that were given; '' for a flag. */
  options: ReadonlyMap<string, string>;
}

interface CommandHelp {
  /** One word or two, such as 'outbox list'. */
  name: string;
  /** What may follow them, for the help. */
  usage: string;
  /** What it does: one sentence for the help. */
  does: string;
  options: Options;
}

export interface Command extends CommandHelp {
  /** @returns what is written to standard output, as it is. */
  run(desk: Desk, given: Given): Promise<string>;
}

/** A command that works on DATA_DIR while nothing has its database open. */
export interface FolderCommand extends CommandHelp {
  /** @returns what is written to standard output, as it is. */
  runOnFolder(desk: FolderDesk, given: Given): Promise<string>;
}

export type AnyCommand = Command | FolderCommand;

/** The command was not called as its help says: exit code 2. The message says what to change. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** What was asked for cannot be done: exit code 1. The message is for the person who asked. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** @throws {UsageError} with the choices, when it is none of them */
export function oneOf<const T extends string>(
  what: string,
  choices: readonly T[],
  given: string | undefined,
): T | undefined {
  const choice = choices.find((name) => name === given);
  if (choice === undefined && given !== undefined) {
    throw new UsageError(`"${given}" is not a valid ${what}: use ${choices.join(', ')}.`);
  }
  return choice;
}

/** How many rows a list shows: --limit, 50 when it is not given. */
export function limitOf({ options }: Given): number {
  const text = options.get('limit') ?? '50';
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--limit ${text}: expected a number from 1, such as 200.`);
}

/** @throws {UsageError} when there are more words than the command takes */
export function expectAtMost(max: number, { words }: Given): void {
  const extra = words[max];
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`);
}
