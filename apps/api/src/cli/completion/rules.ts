import type { CommandHelp } from '../help.ts';

export interface Candidates {
  words: readonly string[];
  isPath: boolean;
}

/** What the scripts of all shells complete, depending on the text before the cursor. */
export interface Rules {
  /** Names of commands that have two words. */
  names: readonly string[];
  /** By the words so far, such as '', 'outbox' and 'outbox list'. */
  next: ReadonlyMap<string, Candidates>;
  /** By command. Include the dashes. */
  options: ReadonlyMap<string, readonly string[]>;
  /** By command and option, such as 'outbox list --state'. */
  values: ReadonlyMap<string, Candidates>;
}

/** The rules also apply to the words after `help`. */
export function rulesOf(commands: readonly CommandHelp[]): Rules {
  const next = new Map<string, Candidates>();
  const add = (before: string, { words, isPath }: Candidates) => {
    const known = next.get(before)?.words ?? [];
    next.set(before, { words: [...new Set([...known, ...words])], isPath });
  };
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ');
    add('', { words: [first], isPath: false });
    if (second !== undefined) add(first, { words: [second], isPath: false });
  }
  for (const { name, arguments: args } of commands) {
    for (const { choices, isPath } of args) add(name, { words: choices, isPath });
  }
  return {
    names: commands.map(({ name }) => name).filter((name) => name.includes(' ')),
    next,
    options: new Map(
      commands.map(({ name, options }) => [name, options.map((option) => `--${option.name}`)]),
    ),
    values: new Map(
      commands.flatMap(({ name, options }) =>
        options
          .filter(({ value }) => value !== null)
          .map((option) => [
            `${name} --${option.name}`,
            { words: option.choices, isPath: option.isPath },
          ]),
      ),
    ),
  };
}
