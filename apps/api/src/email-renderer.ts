import { Tinypool } from 'tinypool';
import type { EmailBodies, RenderEmail } from './email/render.tsx';
import { programFile } from './server/process-pool.ts';

/** How long the idle thread keeps React Email and its 30 MB in memory. */
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
    // With Atomics, a busy thread never returns to its event loop: React's streams were not freed,
    // which leaked 40 kB per email.
    useAtomics: false,
  });
  return ({ kind, to, props }): Promise<EmailBodies | { problem: string }> =>
    pool.run({ kind, to, props }, { name: 'renderEmail' });
}
