import { parseArgs } from 'node:util';
import { type Env, parseEnv } from '../env.ts';
import { StartupError } from '../startup-error.ts';

/** @throws {StartupError} */
export function readEnv(): Env {
  const result = parseEnv();
  if ('env' in result) return result.env;
  throw new StartupError(
    `Invalid configuration:\n${result.problems.map((text) => `  ${text}`).join('\n')}`,
  );
}

/** @throws {StartupError} */
export function readArguments(): { startNew: boolean } {
  try {
    const { values } = parseArgs({ options: { new: { type: 'boolean', default: false } } });
    return { startNew: values.new };
  } catch (cause) {
    throw new StartupError(
      `${(cause as Error).message}. The only option is --new; everything else is set in the environment.`,
    );
  }
}
