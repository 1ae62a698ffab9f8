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

/** The credentials for s3:// URLs. @throws {CommandError} */
export function credentialsOf({ s3 }: Pick<Env, 's3'>): NonNullable<Env['s3']> {
  if (s3) return s3;
  throw new CommandError(
    'invalid_configuration',
    'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to use s3:// URLs.',
  );
}
