import { resolve } from 'node:path';
import {
  type Command,
  type CommandArguments,
  CommandError,
  expectAtMost,
  type FolderCommand,
  UsageError,
} from '../../cli/command.ts';
import { counted, formatTime } from '../../cli/table.ts';
import { untilInterrupted } from '../../cli/until-interrupted.ts';
import { makeBackup, sizeOf } from './backup.ts';
import { BackupError, type BackupManifest } from './manifest.ts';
import { restoreBackup } from './restore.ts';
import { verifyBackup } from './verify.ts';

const backup: Command = {
  name: 'backup',
  usage: '<file>',
  summary: 'Copies the database and uploaded files into one archive.',
  options: {},
  async run({ db, dataDir, clock, progress }, args) {
    const file = fileOf(args);
    const manifest = await orExplain((signal) =>
      makeBackup(db, { dataDir, file, now: clock.now(), signal, onProgress: progress }),
    );
    reportMissing(manifest, progress);
    return `${file} (${await sizeOf(file)}) has ${contentsOf(manifest)}.\n`;
  },
};

const restore: FolderCommand = {
  name: 'restore',
  usage: '<file> [--replace]',
  summary: 'Verifies a backup and restores it into DATA_DIR while no server runs.',
  options: { replace: 'flag' },
  async runOnFolder({ dataDir, clock, progress }, args) {
    const file = fileOf(args);
    const replace = args.options.has('replace');
    const { manifest, previous } = await orExplain((signal) =>
      restoreBackup({ dataDir, file, now: clock.now(), signal, onProgress: progress }, replace),
    );
    const at = formatTime(Date.parse(manifest.createdAt));
    return [
      `Restored the backup of ${at} UTC: ${contentsOf(manifest)}.`,
      ...(previous ? [`The site that was there before is in ${previous}.`] : []),
      'Start the server: it renders all pages.\n',
    ].join('\n');
  },
};

const verify: FolderCommand = {
  name: 'verify',
  usage: '<file>',
  summary: 'Verifies a backup. Needs no DATA_DIR and changes nothing.',
  options: {},
  async runOnFolder({ progress }, args) {
    const file = fileOf(args);
    const { manifest, isOlder } = await orExplain((signal) =>
      verifyBackup({ file, signal, onProgress: progress }),
    );
    const at = formatTime(Date.parse(manifest.createdAt));
    reportMissing(manifest, progress);
    return [
      `${file} (${await sizeOf(file)}) is a complete backup of ${at} UTC: ${contentsOf(manifest)}.`,
      isOlder
        ? 'It was made by an older version: the first start after a restore migrates it.\n'
        : 'Its database has the schema of this version.\n',
    ].join('\n');
  },
};

function fileOf(args: CommandArguments): string {
  expectAtMost(1, args);
  const [file] = args.positionals;
  if (file === undefined) throw new UsageError('Specify a file, such as site-2026-03-01.tar.gz.');
  return resolve(file);
}

function reportMissing({ missing }: BackupManifest, progress: (line: string) => void): void {
  for (const name of missing) {
    progress(`Not in the backup, because it was gone from DATA_DIR: ${name}`);
  }
}

function contentsOf({ counts, files }: BackupManifest): string {
  const rows = (table: string, one: string): string => counted(counts[table] ?? 0, one);
  return [
    rows('users', 'account'),
    rows('blog_posts', 'post'),
    rows('contact_submissions', 'message'),
    counted(Object.keys(files).length - 1, 'uploaded file'),
  ].join(', ');
}

/** Explains failures. */
const orExplain = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  untilInterrupted(async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      if (signal.aborted) throw new CommandError('Interrupted: nothing was changed.');
      throw explain(error);
    }
  });

/** Turns failures of the disk into sentences. */
function explain(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof BackupError) return new CommandError(`${message}.`);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') {
    return new CommandError(
      'The disk is full; nothing was changed. Free some space and try again.',
    );
  }
  if (code === 'ENOENT') return new CommandError(`${message}: nothing was changed.`);
  if (code === 'EISDIR') return new CommandError('That is a folder: specify a file.');
  return /^E[A-Z]+$/.test(code)
    ? new CommandError(`${message}: nothing was changed. Make sure that this user may use it.`)
    : error;
}

export const backupCommands: readonly (Command | FolderCommand)[] = [backup, restore, verify];
