import { type Env, parseEnv } from '../env.ts';
import type { BareContext } from './command.ts';
import { CommandError } from './errors.ts';

/** @throws {CommandError} */
export function readSettings(environment: BareContext['environment']): Env {
  const result = parseEnv(environment, 'command');
  if ('env' in result) return result.env;
  const problems = result.problems.map((problem) => `  ${problem}`).join('\n');
  throw new CommandError('invalid_configuration', `Invalid configuration:\n${problems}`);
}
