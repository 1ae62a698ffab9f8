import { type StatsFs, statfsSync } from 'node:fs';

/** For messages of visitors, sign-ups, the database and published pages. */
const reservedBytes = 1e9;
/** Of a disk with less than 10 GB. */
const reservedShare = 0.1;
/** The part of it that staff leave. */
const reservedFromStaff = 0.1;

export type DiskSpace = ReturnType<typeof createDiskSpace>;

/**
 * Reserves space on the disk of a folder, so that no account can fill it.
 * @param read for tests
 */
export const createDiskSpace = (
  folder: string,
  read: (folder: string) => Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'> = statfsSync,
) => ({
  /**
   * Whether an account may store nothing: a member if less than 1 GB is free, or less than a tenth
   * of a disk that has less than 10 GB; staff if less than a tenth of that is free. Takes
   * microseconds.
   */
  isShort(role: 'member' | 'staff'): boolean {
    const { bavail, blocks, bsize } = read(folder);
    const reserved = Math.min(reservedBytes, blocks * bsize * reservedShare);
    return bavail * bsize < (role === 'staff' ? reserved * reservedFromStaff : reserved);
  },
});
