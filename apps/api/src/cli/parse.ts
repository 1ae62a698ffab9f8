import { parseArgs } from 'node:util';
import type { AnyCommand } from './command.ts';
import { UsageError } from './errors.ts';

export type Given = Parameters<AnyCommand['run']>[1];

/** These are also allowed before the command. */
const globalFlags = {
  '--json': 'json',
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
} as const;

export interface ParsedLine {
  isJson: boolean;
  isHelp: boolean;
  isVersion: boolean;
  words: readonly string[];
}

/** Extracts the options that every command has. Stops at `--`. */
export function parseLine(args: readonly string[]): ParsedLine {
  const end = args.indexOf('--');
  const [before, after] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end)];
  const found = new Set(before.map((word) => globalFlags[word as keyof typeof globalFlags]));
  return {
    isJson: found.has('json'),
    isHelp: found.has('help'),
    isVersion: found.has('version'),
    words: [...before.filter((word) => !(word in globalFlags)), ...after],
  };
}

/** The command whose name begins the line; the longest name wins. */
export const findCommand = (
  commands: readonly AnyCommand[],
  words: readonly string[],
): AnyCommand | undefined =>
  commands
    .filter(({ name }) => name.split(' ').every((word, index) => words[index] === word))
    .toSorted((a, b) => b.name.length - a.name.length)[0];

/**
 * @param words including the command's name
 * @throws {UsageError}
 */
export function parseGiven(command: AnyCommand, words: readonly string[]): Given {
  const { values, positionals } = parseWords(command, words.slice(command.name.split(' ').length));
  const options = Object.entries(command.options).map(([name, option]) => {
    const value = values[name];
    if (value === undefined && 'isRequired' in option) throw new UsageError(`Specify --${name}.`);
    return [name, typeof value === 'string' && 'parse' in option ? option.parse(value) : value];
  });
  return { arguments: parseArguments(command, positionals), options: Object.fromEntries(options) };
}

function parseWords({ options }: AnyCommand, args: readonly string[]) {
  const types = Object.entries(options).map(([name, option]) => [
    name,
    { type: 'isFlag' in option ? ('boolean' as const) : ('string' as const) },
  ]);
  try {
    return parseArgs({
      args,
      options: Object.fromEntries(types) as Record<string, { type: 'boolean' | 'string' }>,
      allowPositionals: true,
    });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const [, unknown] = /^Unknown option '(.+?)'/.exec(message) ?? [];
    if (unknown !== undefined) throw new UsageError(`There is no option ${unknown}.`);
    if (code.startsWith('ERR_PARSE_ARGS_')) throw new UsageError(message);
    throw error;
  }
}

function parseArguments(command: AnyCommand, positionals: readonly string[]) {
  const declared = Object.entries(command.arguments);
  const extra = positionals[declared.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`);
  const parsed = declared.map(([name, value], index) => {
    const word = positionals[index];
    if (word !== undefined) return [name, value.parse(word)];
    if ('isOptional' in value) return [name, undefined];
    throw new UsageError(`<${value.placeholder}> is missing. ${value.description}`);
  });
  return Object.fromEntries(parsed);
}
