import { reasonOf } from '../email/transport.ts';
import type { Env } from '../env.ts';
import { type Check, type Finding, type FolderContext, failure, skipped } from './check.ts';

export interface Checked extends Finding {
  check: string;
}

/**
 * Runs the checks concurrently, each with its timeout, and then those that block the event loop.
 * @param env null if the settings are invalid
 * @returns in the order of the checks
 */
export async function runChecks(
  checks: readonly Check[],
  context: FolderContext,
  env: Env | null,
): Promise<Checked[]> {
  const found = new Map<Check, readonly Finding[]>();
  const run = async (check: Check) => found.set(check, await findingsOf(check, context, env));
  await Promise.all(checks.filter(({ blocks }) => !blocks).map(run));
  for (const check of checks.filter(({ blocks }) => blocks)) await run(check);
  return checks.flatMap((check) =>
    (found.get(check) ?? []).map((each) => ({ check: check.name, ...each })),
  );
}

async function findingsOf(
  check: Check,
  context: FolderContext,
  env: Env | null,
): Promise<Finding[]> {
  const seconds = check.seconds ?? 5;
  const signal = AbortSignal.timeout(seconds * 1_000);
  const ended = Promise.withResolvers<Finding[]>();
  signal.addEventListener('abort', () =>
    ended.resolve([
      failure(
        `The check did not finish within ${seconds} seconds.`,
        'Check the network connection and the load of this machine, then try again.',
      ),
    ]),
  );
  try {
    if (check.needs === 'folder')
      return await Promise.race([check.run(context, signal), ended.promise]);
    if (env === null) return [skipped('The settings are invalid.')];
    return await Promise.race([check.run({ ...context, env }, signal), ended.promise]);
  } catch (error) {
    return [failure(`The check failed (${reasonOf(error)}).`, 'Fix the cause, then try again.')];
  }
}
