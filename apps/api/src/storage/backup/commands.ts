import { stat } from 'node:fs/promises';
import * as v from 'valibot';
import { type AnyCommand, defineCommand } from '../../cli/command.ts';
import { CommandError } from '../../cli/errors.ts';
import { count, time } from '../../cli/schemas.ts';
import { counted, formatTime } from '../../cli/table.ts';
import { untilInterrupted } from '../../cli/until-interrupted.ts';
import { flag, path } from '../../cli/values.ts';
import { makeBackup, megabytes } from './backup.ts';
import { BackupError, type BackupManifest } from './manifest.ts';
import { restoreBackup } from './restore.ts';
import { verifyBackup } from './verify.ts';

const contents = {
  createdAt: time,
  accounts: count,
  posts: count,
  messages: count,
  uploadedFiles: count,
};

const backup = defineCommand({
  name: 'backup',
  summary: 'Copies the database and uploaded files into one archive.',
  uses: 'database',
  arguments: { file: path('file', 'The archive, such as site-2026-03-01.tar.gz. It must be new.') },
  options: {},
  examples: ['backup /backups/site-2026-03-01.tar.gz'],
  result: v.strictObject({
    file: v.string(),
    bytes: count,
    ...contents,
    missing: v.array(v.string()),
  }),
  async run({ db, dataDir, clock, progress }, given) {
    const { file } = given.arguments;
    const manifest = await orExplain((signal) =>
      makeBackup(db, { dataDir, file, now: clock.now(), signal, onProgress: progress }),
    );
    const { size: bytes } = await stat(file);
    return { file, bytes, ...contentsOf(manifest), missing: manifest.missing };
  },
  format: (made) =>
    [
      ...made.missing.map(formatMissing),
      `${made.file} (${megabytes(made.bytes)}) has ${formatContents(made)}.\n`,
    ].join('\n'),
});

const restore = defineCommand({
  name: 'restore',
  summary: 'Verifies a backup and restores it into DATA_DIR while no server runs.',
  uses: 'folder',
  arguments: { file: path('file', 'An archive that `backup` made.') },
  options: { replace: flag('Moves the site that is in DATA_DIR aside.') },
  examples: ['restore /backups/site-2026-03-01.tar.gz --replace'],
  result: v.strictObject({ ...contents, previous: v.nullable(v.string()) }),
  async run({ dataDir, clock, progress }, given) {
    const { file } = given.arguments;
    const replace = given.options.replace ?? false;
    const { manifest, previous } = await orExplain((signal) =>
      restoreBackup({ dataDir, file, now: clock.now(), signal, onProgress: progress }, replace),
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
  arguments: { file: path('file', 'An archive that `backup` made.') },
  options: {},
  examples: ['verify /backups/site-2026-03-01.tar.gz'],
  result: v.strictObject({
    file: v.string(),
    bytes: count,
    ...contents,
    missing: v.array(v.string()),
    isOlder: v.boolean(),
  }),
  async run({ progress }, given) {
    const { file } = given.arguments;
    const { manifest, isOlder } = await orExplain((signal) =>
      verifyBackup({ file, signal, onProgress: progress }),
    );
    const { size: bytes } = await stat(file);
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

const formatMissing = (name: string): string =>
  `Not in the backup, because it was gone from DATA_DIR: ${name}`;

function contentsOf({ createdAt, counts, files }: BackupManifest) {
  return {
    createdAt,
    accounts: counts['users'] ?? 0,
    posts: counts['blog_posts'] ?? 0,
    messages: counts['contact_submissions'] ?? 0,
    // Without the database.
    uploadedFiles: Object.keys(files).length - 1,
  };
}

const formatContents = (made: Omit<ReturnType<typeof contentsOf>, 'createdAt'>): string =>
  [
    counted(made.accounts, 'account'),
    counted(made.posts, 'post'),
    counted(made.messages, 'message'),
    counted(made.uploadedFiles, 'uploaded file'),
  ].join(', ');

/** Explains failures. */
const orExplain = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  untilInterrupted(async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      if (signal.aborted) {
        throw new CommandError('interrupted', 'Interrupted: nothing was changed.');
      }
      throw explain(error);
    }
  });

/** Turns failures of the disk into sentences. */
function explain(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof BackupError) return new CommandError('invalid_file', `${message}.`);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') {
    return new CommandError(
      'disk_full',
      'The disk is full; nothing was changed. Free some space and try again.',
    );
  }
  if (code === 'ENOENT') {
    return new CommandError('not_found', `${message}: nothing was changed.`);
  }
  if (code === 'EISDIR') {
    return new CommandError('invalid_file', 'That is a folder: specify a file.');
  }
  return /^E[A-Z]+$/.test(code)
    ? new CommandError(
        'file_system',
        `${message}: nothing was changed. Make sure that this user may use it.`,
      )
    : error;
}

export const backupCommands: readonly AnyCommand[] = [backup, restore, verify];
