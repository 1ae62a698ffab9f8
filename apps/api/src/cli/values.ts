import { resolve } from 'node:path';
import { UsageError } from './errors.ts';

/** An argument, or the value of an option. */
export interface Value<T> {
  /** Shown in the usage, such as `day` for <day>. */
  placeholder: string;
  description: string;
  choices?: readonly string[];
  /** Shells complete file names. */
  isPath?: true;
  parse(text: string): T;
}

/** An argument that can be omitted. */
export interface Optional<T> extends Value<T> {
  isOptional: true;
}

/** An option that is required. */
export interface RequiredValue<T> extends Value<T> {
  isRequired: true;
}

export interface Flag {
  description: string;
  isFlag: true;
}

export const flag = (description: string): Flag => ({ description, isFlag: true });

export const optional = <T>(value: Value<T>): Optional<T> => ({ ...value, isOptional: true });

export const required = <T>(value: Value<T>): RequiredValue<T> => ({ ...value, isRequired: true });

export const text = (placeholder: string, description: string): Value<string> => ({
  placeholder,
  description,
  parse: (given) => given,
});

export const path = (placeholder: string, description: string): Value<string> => ({
  placeholder,
  description,
  isPath: true,
  parse(given) {
    if (given === '') throw new UsageError(`<${placeholder}> is empty.`);
    return resolve(given);
  },
});

export const choice = <const T extends string>(
  placeholder: string,
  choices: readonly T[],
  description: string,
): Value<T> => ({
  placeholder,
  description: `${description} One of: ${choices.join(', ')}.`,
  choices,
  parse(given) {
    const chosen = choices.find((name) => name === given);
    if (chosen !== undefined) return chosen;
    throw new UsageError(`"${given}" is not a valid ${placeholder}: use ${choices.join(', ')}.`);
  },
});

/**
 * The id of a row, or its end.
 * @param list the command that lists ids
 */
export const idEnd = (list: string): Value<string> => ({
  placeholder: 'id',
  description: `An id from \`${list}\`, or its end: at least 4 characters.`,
  parse(given) {
    if (/^[\da-f-]{4,36}$/i.test(given)) return given;
    throw new UsageError(`"${given}" is not a valid id: use one from \`${list}\`.`);
  },
});

export const defaultLimit = 50;

export const limit: Value<number> = {
  placeholder: 'number',
  description: `Maximum number shown (default ${defaultLimit}).`,
  parse(given) {
    if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
    throw new UsageError(`--limit ${given}: expected a number of at least 1, such as 200.`);
  },
};
