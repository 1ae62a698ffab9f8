import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { accountMessages } from '@app/contract/accounts/messages';
import type { InputIssue } from '@app/contract/problems';
import { childEnvironment } from '@app/db/child-environment';
import { programFile } from '../../server/process-pool.ts';
import { normalizePassword } from './normalize-password.ts';

/**
 * The 42,000 most common passwords of valid length, one per line. Unpacking them takes 100 ms, so a
 * worker thread does it at the first check. They are one string, because receiving a set from the
 * thread would take milliseconds.
 */
let passwords: Promise<string> | null = null;

async function unpackPasswords(): Promise<string> {
  const worker = new Worker(programFile('common-passwords-worker', import.meta), {
    env: childEnvironment(),
  });
  const [lines] = (await once(worker, 'message')) as [string];
  return lines;
}

const commonPasswords = (): Promise<string> => {
  passwords ??= unpackPasswords().catch((error: unknown) => {
    passwords = null;
    throw error;
  });
  return passwords;
};

/** For passwords known from breaches (NIST SP 800-63B §3.1.1.2, "blocklist"). */
export async function findCommonPasswordIssue(password: string): Promise<InputIssue | null> {
  const normalized = normalizePassword(password);
  const isLine = normalized !== '' && !normalized.includes('\n');
  const isCommon = isLine && (await commonPasswords()).includes(`\n${normalized}\n`);
  return isCommon ? { path: 'password', message: accountMessages.password.common } : null;
}
