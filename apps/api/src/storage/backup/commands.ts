import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { type AnyCommand, defineCommand } from '../../cli/command.ts';
import { requireOwnDatabase } from '../../cli/database.ts';
import { CommandError } from '../../cli/errors.ts';
import { megabytes } from '../../cli/megabytes.ts';
import type { Progress } from '../../cli/progress.ts';
import { readSettings } from '../../cli/settings.ts';
import { formatTime } from '../../cli/table.ts';
import { untilInterrupted } from '../../cli/until-interrupted.ts';
import { openUploadStore } from '../uploads/upload-store.ts';
import { InvalidBackup } from './archive.ts';
import { backup } from './backup-command.ts';
import { archiveReport, contents, contentsOf, formatContents, formatMissing } from './contents.ts';
import { orExplainBackup } from './failures.ts';
import { location, type Settings } from './locations.ts';
import { readBackup } from './read-backup.ts';
import { restoreBackup } from './restore.ts';

const restore = defineCommand({
  name: 'restore',
  summary: 'Verifies a backup and restores it into an empty DATA_DIR.',
  uses: 'folder',
  arguments: {
    file: location(
      'file',
      'An archive that `backup` made: a path, or an s3:// URL. Or the path of a database that a start copied before its migration.',
    ),
  },
  options: {},
  examples: [
    'restore /backups/site-2026-03-01.tar.gz',
    'restore before-migration/0019_post_tags-2026-03-01T12-00-00.000Z.db',
  ],
  result: v.strictObject(contents),
  async run({ dataDir, clock, settings, progress }, given) {
    requireOwnDatabase(settings);
    const { file } = given.arguments;
    return await untilInterrupted((signal) =>
      orExplainBackup(signal, async () => {
        const uploads = await openUploadStore(settings.uploads, dataDir);
        const work = { dataDir, uploads, file, settings: () => settings, now: clock.now(), signal };
        return contentsOf(await restoreBackup({ ...work, onProgress: progress }));
      }),
    );
  },
  format: (restored) =>
    [
      ...restored.missing.map(formatMissing),
      `Restored the backup of ${formatTime(restored.createdAt)} UTC: ${formatContents(restored)}.`,
      'Start the server: it renders all pages.\n',
    ].join('\n'),
});

const verify = defineCommand({
  name: 'verify',
  summary: 'Verifies a backup. Needs no DATA_DIR and changes nothing.',
  uses: 'nothing',
  arguments: { file: location('file', 'An archive that `backup` made: a path, or an s3:// URL.') },
  options: {},
  examples: ['verify /backups/site-2026-03-01.tar.gz'],
  result: v.strictObject({ ...archiveReport, isOlder: v.boolean() }),
  async run({ environment, progress }, given) {
    const { file } = given.arguments;
    const work = { file, settings: () => readSettings(environment), onProgress: progress };
    return await untilInterrupted((signal) =>
      orExplainBackup(signal, () => verifyBackup({ ...work, signal })),
    );
  },
  format: ({ file, bytes, isOlder, ...verified }) =>
    [
      ...verified.missing.map(formatMissing),
      `${file} (${megabytes(bytes)}) is a complete backup of ${formatTime(verified.createdAt)} UTC: ${formatContents(verified)}.`,
      isOlder
        ? 'It was made by an older version: the first start after a restore migrates it.\n'
        : 'Its database has the schema of this version.\n',
    ].join('\n'),
});

interface Verification {
  file: string;
  settings(): Settings;
  signal: AbortSignal;
  onProgress: Progress;
}

/** Unpacks the database into the system's folder for temporary files (TMPDIR), and deletes it. */
async function verifyBackup(work: Verification) {
  const { file, onProgress } = work;
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  onProgress('Reading the backup …');
  try {
    const verified = await readBackup({ ...work, database: join(folder, 'site.db') });
    const { bytes, isOlder } = verified;
    return { file, bytes, ...contentsOf(verified), isOlder };
  } catch (error) {
    if (error instanceof InvalidBackup) {
      throw new CommandError('invalid_file', `${file} is not a usable backup: ${error.message}.`);
    }
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
      throw new CommandError(
        'disk_full',
        `There is not enough space for the backup's database in ${tmpdir()}: set TMPDIR to a folder with more.`,
      );
    }
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const backupCommands: readonly AnyCommand[] = [backup, restore, verify];
