import { S3Error } from './errors.ts';

/** Milliseconds between probes. */
const probePause = 2_000;

interface BreakerParts {
  probe(): Promise<unknown>;
  onDown(error: S3Error): void;
  onUp(): void;
}

/**
 * After a failure, rejects calls at once until a probe succeeds, so that requests do not wait for a
 * server that does not respond.
 */
export function createCircuitBreaker({ probe, onDown, onUp }: BreakerParts) {
  let failure: S3Error | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const probeLater = (): void => {
    if (!isStopped) timer = setTimeout(runProbe, probePause).unref();
  };

  function runProbe(): void {
    probe().then(() => {
      failure = null;
      if (!isStopped) onUp();
    }, probeLater);
  }

  return {
    /** @throws {S3Error} at once while the bucket does not work */
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (failure) throw failure;
      try {
        return await work();
      } catch (error) {
        if (error instanceof S3Error && !failure) {
          failure = error;
          onDown(error);
          probeLater();
        }
        throw error;
      }
    },

    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
