import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { storageFailureOf } from '@app/db/storage-failure';
import type { Deps } from '../deps.ts';
import { siteFolder } from '../publishing/release.ts';
import { StartupError } from '../startup-error.ts';

const retryMilliseconds = 5_000;

export const hasPublishedSite = (dataDir: string): boolean =>
  existsSync(join(siteFolder(dataDir), 'index.html'));

/**
 * Updates the published files. If that fails but a site is published, serves the site as it is and
 * retries the update.
 * @returns a function that stops the retries
 */
export async function startPublishing(
  { publisher, health, storage, log }: Deps,
  dataDir: string,
): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;

  async function start(): Promise<void> {
    try {
      await publisher.start();
      health.clear('publishing start');
    } catch (error) {
      const isFatal = storageFailureOf(error) === 'corrupt' || error instanceof StartupError;
      if (isFatal || !hasPublishedSite(dataDir)) throw error;
      health.report(
        'publishing start',
        'The last published version is served; changes are waiting.',
      );
      if (storage.note(error) === null) log.error({ err: error }, 'publishing could not start');
      timer = setTimeout(retry, retryMilliseconds).unref();
    }
  }
  function retry(): void {
    start().catch((cause: unknown) => {
      log.error({ err: cause }, 'publishing could not start and will not be retried');
    });
  }

  await start();
  return () => clearTimeout(timer);
}
