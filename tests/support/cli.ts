import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../packages/tasks/cli.mjs', import.meta.url));

const runCli = (dataDir: string, ...args: string[]): string =>
  execFileSync(process.execPath, [cli, ...args], { env: { DATA_DIR: dataDir }, encoding: 'utf8' });

/** Retries take hours; the owner starts them at once. */
export const resendQueued = (dataDir: string): string =>
  runCli(dataDir, 'outbox', 'resend', '--queued');
