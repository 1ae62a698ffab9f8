import { Tinypool } from 'tinypool';
import type { EmailBodies, RenderEmail } from './email/render.tsx';
import { programFile } from './server/process-pool.ts';

/** How long the thread keeps React Email and its 30 MB. */
const idleTimeout = 60_000;

/**
 * Renders emails in a thread that starts with the first one: loading React Email and rendering the
 * first email block for about 200 ms on a busy machine.
 */
export function createEmailRenderer(): RenderEmail {
  const pool = new Tinypool({
    filename: programFile('email-worker', import.meta),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout,
    // Waiting with Atomics keeps the event loop of a busy thread from turning: React's streams were
    // not freed, 40 kB an email.
    useAtomics: false,
  });
  return ({ kind, to, props }): Promise<EmailBodies | { problem: string }> =>
    pool.run({ kind, to, props }, { name: 'renderEmail' });
}
