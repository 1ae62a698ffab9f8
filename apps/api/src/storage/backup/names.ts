import { toIso } from '../../clock.ts';

export const archiveSuffix = '.tar.gz';

/** Names of archives in a folder or bucket that other sites and programs may use as well. */
export interface BackupNames {
  /** @param now milliseconds since 1970 */
  at(now: number): string;
  /** Milliseconds since 1970; null for a file with another name. */
  timeOf(name: string): number | null;
}

/**
 * Names consist of the host and the time in UTC: example.com-2026-03-01T12-00-00.000Z.tar.gz. The
 * host keeps two sites from deleting each other's backups.
 */
export function backupNames(publicUrl: string): BackupNames {
  const start = `${new URL(publicUrl).hostname.replace(/[^a-z\d.-]/g, '')}-`;
  const at = (now: number): string => `${start}${toIso(now).replaceAll(':', '-')}${archiveSuffix}`;
  return {
    at,

    timeOf(name) {
      const text = name.slice(start.length, -archiveSuffix.length);
      const time = Date.parse(text.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));
      return !Number.isNaN(time) && name === at(time) ? time : null;
    },
  };
}
