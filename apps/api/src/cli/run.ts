import { statSync } from 'node:fs';
import { inspect } from 'node:util';
import type { Clock } from '../clock.ts';
import type { AnyCommand, BareContext } from './command.ts';
import { withDatabase } from './database.ts';
import { CommandError, type ErrorCode, UsageError } from './errors.ts';
import { explain } from './explain.ts';
import { describeCommand, findTopic, formatOverview, helpCommand } from './help.ts';
import { findCommand, type Given, parseGiven, parseLine } from './parse.ts';
import { createProgress, type Terminal } from './progress.ts';
import { readSettings } from './settings.ts';
import { versionCommand } from './version.ts';

interface CommandRun {
  commands: readonly AnyCommand[];
  args: readonly string[];
  clock: Clock;
  /** The environment of the process by default. */
  environment?: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  /** Makes files that the process creates from now on private. Does nothing by default. */
  restrictNewFiles?(): void;
  /** Where to show progress. Nowhere by default. */
  terminal?: Terminal;
}

/**
 * Runs a command. Standard output gets only its result. With --json, standard error gets only an
 * error.
 * @returns the exit code: 1 for failures, 2 for wrong usage
 */
export async function runCommand({
  commands,
  args,
  clock,
  environment,
  out,
  err,
  restrictNewFiles,
  terminal,
}: CommandRun): Promise<number> {
  const { isJson, isHelp, isVersion, words } = parseLine(args);
  const progress = createProgress(terminal, (line) => isJson || err(`${line}\n`));
  try {
    const [command, given] = isHelp
      ? [helpCommand, parseGiven(helpCommand, ['help', ...topicOf(commands, words)])]
      : parseCommand(commands, isVersion ? [versionCommand.name] : words);
    if (!command.hasPublicFiles) restrictNewFiles?.();
    const result = await runIn(command, given, {
      ...{ commands, environment, isJson, clock },
      progress: progress.report,
    });
    progress.end();
    out(isJson ? `${JSON.stringify(result, null, 2)}\n` : command.format(result, given));
    return command.exitCode?.(result) ?? 0;
  } catch (cause) {
    progress.end();
    const error = explain(cause);
    err(isJson ? formatAsJson(error) : formatForPeople(error, commands, words));
    return error instanceof UsageError ? 2 : 1;
  }
}

function parseCommand(
  commands: readonly AnyCommand[],
  words: readonly string[],
): [AnyCommand, Given] {
  if (words.length === 0) throw new UsageError('Specify a command.');
  const command = findCommand(commands, words);
  if (!command) throw new UsageError(`There is no command "${words.slice(0, 2).join(' ')}".`);
  return [command, parseGiven(command, words)];
}

function runIn(command: AnyCommand, given: Given, context: BareContext): Promise<unknown> {
  if (command.uses === 'nothing') return command.run(context, given);
  const settings = readSettings(context.environment);
  const { dataDir } = settings;
  requireFolder(dataDir);
  if (command.uses === 'folder') return command.run({ ...context, dataDir, settings }, given);
  return withDatabase(settings, context.clock, (database) =>
    command.run({ ...context, dataDir, settings, ...database }, given),
  );
}

/** The folder may be missing. @throws {CommandError} if it is not a folder */
function requireFolder(dataDir: string): void {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  throw new CommandError(
    'invalid_configuration',
    `DATA_DIR ${dataDir} is not a folder: set it to the server's folder.`,
  );
}

/** The arguments for help: the words of a command's name, its first word, or none. */
function topicOf(commands: readonly AnyCommand[], words: readonly string[]): readonly string[] {
  const name = findCommand(commands, words)?.name.split(' ') ?? words.slice(0, 1);
  return findTopic(commands, name) ? name : [];
}

function formatForPeople(
  error: unknown,
  commands: readonly AnyCommand[],
  words: readonly string[],
): string {
  if (error instanceof CommandError) return `${error.message}\n`;
  if (!(error instanceof UsageError)) return `${inspect(error)}\n`;
  const topic = topicOf(commands, words);
  const [command, ...others] = (findTopic(commands, topic) ?? commands).map(describeCommand);
  if (!command || others.length > 0) {
    const shown = command ? [command, ...others] : [];
    return `${error.message}\n\n${formatOverview(shown)}`;
  }
  return `${error.message}\n\nUsage: ${command.usage}\nMore: pnpm cli help ${command.name}\n`;
}

function formatAsJson(error: unknown): string {
  const [code, message]: [ErrorCode, string] =
    error instanceof UsageError
      ? ['usage', error.message]
      : error instanceof CommandError
        ? [error.code, error.message]
        : ['internal', inspect(error)];
  return `${JSON.stringify({ error: { code, message } })}\n`;
}
