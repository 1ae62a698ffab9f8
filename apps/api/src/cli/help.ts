import * as v from 'valibot';
import { type AnyCommand, defineCommand } from './command.ts';
import { UsageError } from './errors.ts';
import { describeShape, jsonSchemaOf } from './json-shape.ts';
import { optional, text, type Value } from './values.ts';
import { wrap } from './wrap.ts';

const columns = 80;

const globalOptions = [
  ['--json', 'Prints the result as JSON, and an error as JSON to standard error.'],
  ['-h, --help', 'Prints this help.'],
] as const;

const exitCodes = [
  ['0', 'It succeeded.'],
  ['1', 'It failed. Standard error says why, and what to do.'],
  ['2', 'The arguments are wrong; nothing was done.'],
] as const;

const argument = v.strictObject({
  name: v.string(),
  description: v.string(),
  isRequired: v.boolean(),
  isPath: v.boolean(),
  choices: v.array(v.string()),
});

const option = v.strictObject({
  name: v.string(),
  description: v.string(),
  /** Null for a flag. */
  value: v.nullable(v.string()),
  isRequired: v.boolean(),
  isPath: v.boolean(),
  choices: v.array(v.string()),
});

const help = v.strictObject({
  name: v.string(),
  summary: v.string(),
  usage: v.string(),
  arguments: v.array(argument),
  options: v.array(option),
  examples: v.array(v.string()),
  resultSchema: v.record(v.string(), v.unknown()),
});

export type CommandHelp = v.InferOutput<typeof help>;

export function describeCommand(command: AnyCommand): CommandHelp {
  const { name, summary, examples, result } = command;
  const args = Object.values(command.arguments).map((value) => ({
    name: value.placeholder,
    description: value.description,
    isRequired: !('isOptional' in value),
    ...describeValue(value),
  }));
  const options = Object.entries(command.options).map(([optionName, declared]) => ({
    name: optionName,
    description: declared.description,
    value: 'isFlag' in declared ? null : declared.placeholder,
    isRequired: 'isRequired' in declared,
    ...describeValue('isFlag' in declared ? {} : declared),
  }));
  return {
    ...{ name, summary },
    usage: [
      'pnpm cli',
      name,
      ...args.map(usageOfArgument),
      ...options.map((each) =>
        each.isRequired ? usageOfOption(each) : `[${usageOfOption(each)}]`,
      ),
    ].join(' '),
    ...{ arguments: args, options },
    examples: examples.map((line) => `pnpm cli ${line}`),
    resultSchema: { ...jsonSchemaOf(result) },
  };
}

const describeValue = ({ choices = [], isPath }: Partial<Value<unknown>>) => ({
  isPath: isPath ?? false,
  choices: [...choices],
});

const usageOfArgument = ({ name, isRequired }: v.InferOutput<typeof argument>): string =>
  isRequired ? `<${name}>` : `[<${name}>]`;

const usageOfOption = ({ name, value }: v.InferOutput<typeof option>): string =>
  value === null ? `--${name}` : `--${name} <${value}>`;

export const formatOverview = (commands: readonly CommandHelp[]): string =>
  [
    "Usage: pnpm cli <command>, with the server's settings (DATA_DIR).",
    '',
    ...commands.flatMap(({ usage, summary }) => [
      ...indented(wrap(usage.replace('pnpm cli ', ''), columns - 8), '  ', '        '),
      ...indented(wrap(summary, columns - 6), '      '),
    ]),
    '',
    'Options, examples and exit codes of a command: pnpm cli help <command>',
    '',
  ].join('\n');

function formatHelp(command: CommandHelp): string {
  const { usage, summary, options, examples, resultSchema } = command;
  const args = command.arguments.map((each) => [usageOfArgument(each), each.description] as const);
  return [
    ...indented(wrap(`Usage: ${usage}`, columns - 4), '', '    '),
    '',
    ...wrap(summary, columns),
    '',
    ...(args.length > 0 ? ['Arguments:', ...formatRows(args), ''] : []),
    'Options:',
    ...formatRows([
      ...options.map((each) => [usageOfOption(each), each.description] as const),
      ...globalOptions,
    ]),
    '',
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...indented(examples, '  '),
    '',
    'Exit codes:',
    ...formatRows(exitCodes),
    '',
    'JSON (a time is ISO 8601, in UTC):',
    ...indented(describeShape(resultSchema).split('\n'), '  '),
    '',
  ].join('\n');
}

function formatRows(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 4;
  return rows.flatMap(([left, right]) =>
    indented(wrap(right, columns - width), `  ${left}`.padEnd(width), ' '.repeat(width)),
  );
}

const indented = (lines: readonly string[], first: string, others = first): string[] =>
  lines.map((line, index) => (index === 0 ? first : others) + line);

/** The command with this name, or the commands of a topic such as outbox. */
export function findTopic(
  commands: readonly AnyCommand[],
  words: readonly string[],
): readonly AnyCommand[] | undefined {
  const topic = words.join(' ');
  const command = commands.find(({ name }) => name === topic);
  const found = command ? [command] : commands.filter(({ name }) => name.startsWith(`${topic} `));
  return found.length > 0 ? found : undefined;
}

export const helpCommand = defineCommand({
  name: 'help',
  summary: 'Explains a command, or lists all of them.',
  uses: 'nothing',
  arguments: {
    first: optional(text('command', 'A command or its first word, such as outbox.')),
    second: optional(text('word', 'Its second word, such as list.')),
  },
  options: {},
  examples: ['help outbox list', 'help'],
  result: v.strictObject({ commands: v.array(help) }),
  async run({ commands }, { arguments: { first, second } }) {
    const words = [first, second].filter((word) => word !== undefined);
    const found = words.length === 0 ? commands : findTopic(commands, words);
    if (!found) throw new UsageError(`There is no command "${words.join(' ')}".`);
    return { commands: found.map(describeCommand) };
  },
  format: ({ commands }) => {
    const [command, ...others] = commands;
    return command && others.length === 0 ? formatHelp(command) : formatOverview(commands);
  },
});
