import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '../../cli/progress.ts';
import { readArchive, type VerifiedArchive } from './archive.ts';
import { BackupError } from './manifest.ts';

interface Verification {
  file: string;
  signal: AbortSignal;
  onProgress: Progress;
}

/**
 * Verifies a backup as a restore does. Its database is unpacked into the system's folder for
 * temporary files (TMPDIR) and deleted again.
 * @throws {BackupError}
 */
export async function verifyBackup(work: Verification): Promise<VerifiedArchive> {
  const { file, signal, onProgress } = work;
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  onProgress('Reading the backup …');
  try {
    const { size: bytes } = await stat(file);
    const source = createReadStream(file);
    return await readArchive({ source, bytes, folder, unpacks: 'database', signal, onProgress });
  } catch (error) {
    if (error instanceof BackupError) {
      throw new BackupError(`${file} is not a usable backup: ${error.message}`);
    }
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
      throw new BackupError(
        `There is no room for the backup's database in ${tmpdir()}: set TMPDIR to a folder with more`,
      );
    }
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
