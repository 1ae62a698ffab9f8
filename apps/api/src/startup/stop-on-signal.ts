import type { Log } from '../log.ts';

/** Container runtimes kill the process after 10 s by default. */
const maxMilliseconds = 9_500;

/**
 * Stops the server and exits on the first signal. Ignores further ones, because a signal to the
 * process group arrives twice: from its sender and from `npm start`, which forwards it.
 */
export function stopOnSignal(log: Log, stop: () => Promise<void>): void {
  let isStopping = false;

  function onSignal(signal: string): void {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.warn('stopped with unfinished work: the next start continues it');
      process.exit(0);
    }, maxMilliseconds);
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed: the next start recovers as after a crash');
        process.exit(1);
      },
    );
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => onSignal(signal));
  }
}
