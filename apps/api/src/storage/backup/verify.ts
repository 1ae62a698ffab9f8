import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '../../cli/progress.ts';
import { readArchive, type VerifiedArchive } from './archive.ts';
import type { OpenArchive } from './locations.ts';
import { BackupError } from './manifest.ts';

interface Verification {
  file: string;
  open(): Promise<OpenArchive>;
  signal: AbortSignal;
  onProgress: Progress;
}

/**
 * Verifies a backup like `restore` does. Temporarily unpacks its database into the system's folder
 * for temporary files (TMPDIR).
 * @throws {BackupError}
 */
export async function verifyBackup(
  work: Verification,
): Promise<VerifiedArchive & { bytes: number }> {
  const { file, open, signal, onProgress } = work;
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  onProgress('Reading the backup …');
  try {
    const { source, bytes } = await open();
    const reading = { source, bytes, folder, signal, onProgress };
    return { ...(await readArchive({ ...reading, unpacks: 'database' })), bytes };
  } catch (error) {
    if (error instanceof BackupError) {
      throw new BackupError(`${file} is not a usable backup: ${error.message}`, error);
    }
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
      throw new BackupError(
        `There is not enough space for the backup's database in ${tmpdir()}: set TMPDIR to a folder with more`,
      );
    }
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
