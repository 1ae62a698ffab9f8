import * as v from 'valibot';
import { type AnyCommand, defineCommand } from '../../cli/command.ts';
import { requireOwnDatabase } from '../../cli/database.ts';
import { megabytes } from '../../cli/megabytes.ts';
import { readSettings } from '../../cli/settings.ts';
import { formatTime } from '../../cli/table.ts';
import { untilInterrupted } from '../../cli/until-interrupted.ts';
import { flag } from '../../cli/values.ts';
import { openUploadStore } from '../uploads/upload-store.ts';
import { backup } from './backup-command.ts';
import { archiveReport, contents, contentsOf, formatContents, formatMissing } from './contents.ts';
import { orExplainBackup } from './explain.ts';
import { location, openArchive } from './locations.ts';
import { restoreBackup } from './restore.ts';
import { verifyBackup } from './verify.ts';

const restore = defineCommand({
  name: 'restore',
  summary: 'Verifies a backup and restores it into DATA_DIR while no server runs.',
  uses: 'folder',
  arguments: { file: location('file', 'An archive that `backup` made: a path, or an s3:// URL.') },
  options: { replace: flag('Moves the site that is in DATA_DIR aside.') },
  examples: ['restore /backups/site-2026-03-01.tar.gz --replace'],
  result: v.strictObject({ ...contents, previous: v.nullable(v.string()) }),
  async run({ dataDir, clock, settings, progress }, given) {
    requireOwnDatabase(settings);
    const { file } = given.arguments;
    const replace = given.options.replace ?? false;
    const uploads = settings.uploads && (await openUploadStore(settings.uploads, dataDir));
    const { manifest, previous } = await untilInterrupted((signal) =>
      orExplainBackup(signal, () =>
        restoreBackup(
          {
            ...{ dataDir, uploads, file, now: clock.now(), signal, onProgress: progress },
            open: () => openArchive(file, () => settings),
          },
          replace,
        ),
      ),
    );
    return { ...contentsOf(manifest), previous };
  },
  format: ({ previous, ...restored }) =>
    [
      `Restored the backup of ${formatTime(restored.createdAt)} UTC: ${formatContents(restored)}.`,
      ...(previous ? [`The site that was there before is in ${previous}.`] : []),
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
    const open = () => openArchive(file, () => readSettings(environment));
    const { manifest, bytes, isOlder } = await untilInterrupted((signal) =>
      orExplainBackup(signal, () => verifyBackup({ file, open, signal, onProgress: progress })),
    );
    return { file, bytes, ...contentsOf(manifest), missing: manifest.missing, isOlder };
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

export const backupCommands: readonly AnyCommand[] = [backup, restore, verify];
