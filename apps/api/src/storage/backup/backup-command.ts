import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import * as v from 'valibot';
import { defineCommand, type FolderContext } from '../../cli/command.ts';
import { withWholeDatabase } from '../../cli/database.ts';
import { duration } from '../../cli/duration.ts';
import { CommandError, UsageError } from '../../cli/errors.ts';
import { megabytes } from '../../cli/megabytes.ts';
import type { Progress } from '../../cli/progress.ts';
import { formatTime } from '../../cli/table.ts';
import { untilInterrupted } from '../../cli/until-interrupted.ts';
import type { Value } from '../../cli/values.ts';
import { toIso } from '../../clock.ts';
import { isS3Url, parseS3Url } from '../../s3/s3-url.ts';
import { openUploadStore } from '../uploads/upload-store.ts';
import { makeBackup, removeOlder } from './backup.ts';
import { archiveReport, contentsOf, formatContents, formatMissing } from './contents.ts';
import { orExplainBackup } from './failures.ts';
import { location, openStore } from './locations.ts';
import { archiveSuffix, type BackupNames, backupNames } from './names.ts';
import { backUpRegularly } from './schedule.ts';
import { type BackupStore, folderStore, nameTaken } from './store.ts';

const keep: Value<number> = {
  placeholder: 'number',
  description: 'Keeps only the newest backups in the folder.',
  parse(given) {
    if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
    throw new UsageError(`--keep ${given}: expected a number of at least 1, such as 30.`);
  },
};

const madeBackup = v.strictObject({
  ...archiveReport,
  /** Older backups that were deleted because of --keep. */
  deleted: v.array(v.string()),
  /** Why DATA_DIR/last-backup.json could not be written. */
  recordError: v.nullable(v.string()),
});

type MadeBackup = v.InferOutput<typeof madeBackup>;

const target = location(
  'file or folder',
  `A folder or s3:// URL, where the name contains the time, or a new file that ends in ${archiveSuffix}.`,
);

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copies the database and uploads into an archive while a server runs.',
  uses: 'folder',
  arguments: { target },
  options: {
    keep,
    every: duration('every', 'Repeats the backup at this interval, such as 6h, until stopped.'),
  },
  examples: [
    'backup /backups/site-2026-03-01.tar.gz',
    'backup /backups --keep 30',
    'backup /backups --keep 30 --every 6h',
    'backup s3://my-backups/site?region=eu-central-1 --keep 30',
  ],
  // Null when --every was stopped.
  result: v.nullable(madeBackup),
  async run(context, given) {
    const { target } = given.arguments;
    const { every } = given.options;
    if (every !== undefined && context.isJson) {
      throw new UsageError('--every prints no result: omit --json.');
    }
    return await untilInterrupted(async (signal) => {
      const run = { context, signal, onProgress: context.progress };
      if (isArchive(target, given.options)) {
        return backUpAs(basename(target), folderStore(dirname(target)), run);
      }
      const names = backupNames(context.settings.publicUrl);
      const store = await openStore(target, context);
      const folder = { store, names, keep: given.options.keep };
      if (every === undefined) return backUp(folder, run);
      await repeat(folder, every, run);
      return null;
    });
  },
  format: (made) =>
    made
      ? formatMade(made)
          .map((line) => `${line}\n`)
          .join('')
      : '',
});

/** Otherwise it is a folder. @throws {UsageError} */
function isArchive(target: string, options: { every?: unknown; keep?: unknown }): boolean {
  const isS3 = isS3Url(target);
  const name = isS3 ? parseS3Url(target).key : target;
  if (!name.endsWith(archiveSuffix)) return false;
  if (!isS3 && statSync(target, { throwIfNoEntry: false })?.isDirectory()) return false;
  if (!isS3 && options.every === undefined && options.keep === undefined) return true;
  throw new UsageError(
    `In S3, with --every and with --keep, archives are named by the time: specify a folder instead of ${target}.`,
  );
}

interface Target {
  store: BackupStore;
  names: BackupNames;
  /** How many backups remain; all by default. */
  keep: number | undefined;
}

interface Run {
  context: FolderContext;
  signal: AbortSignal;
  onProgress: Progress;
}

async function backUpAs(
  name: string,
  store: BackupStore,
  { context: { dataDir, clock, settings }, signal, onProgress }: Run,
): Promise<MadeBackup> {
  const made = await withWholeDatabase(settings, ({ db }) =>
    orExplainBackup(signal, async () => {
      // Fails before the work if the folder is missing.
      if ((await store.list()).includes(name)) throw nameTaken(store.locationOf(name));
      const uploads = await openUploadStore(settings.uploads, dataDir);
      const now = clock.now();
      return makeBackup(db, { dataDir, uploads, store, name, now, signal, onProgress });
    }),
  );
  return {
    file: made.location,
    bytes: made.bytes,
    ...contentsOf(made),
    deleted: [],
    recordError: made.recordError?.message ?? null,
  };
}

async function backUp({ store, names, keep: maxBackups }: Target, run: Run): Promise<MadeBackup> {
  const now = run.context.clock.now();
  const name = names.at(now);
  const made = await backUpAs(name, store, run);
  if (maxBackups === undefined) return made;
  try {
    return {
      ...made,
      deleted: await removeOlder(store, names, { newest: name, now, keep: maxBackups }),
    };
  } catch (error) {
    const reason = (error as Error).message;
    throw new CommandError(
      'file_system',
      `${made.file} is complete, but older backups could not be deleted (${reason}): delete them, or allow this user to delete them.`,
    );
  }
}

const formatMade = (made: MadeBackup): string[] => [
  ...made.missing.map(formatMissing),
  `${made.file} (${megabytes(made.bytes)}) has ${formatContents(made)}.`,
  ...made.deleted.map((file) => `Deleted ${file}.`),
  ...(made.recordError ? [`last-backup.json was not written: ${made.recordError}`] : []),
];

async function repeat(
  target: Target,
  every: number,
  { context, signal, onProgress }: Run,
): Promise<void> {
  const { clock } = context;
  const { store, names } = target;
  const time = (milliseconds: number): string => `${formatTime(toIso(milliseconds))} UTC`;
  const say = (text: string) => onProgress(`${time(clock.now())}: ${text}`);
  await backUpRegularly({
    ...{ every, clock, signal },
    times: () =>
      orExplainBackup(signal, async () =>
        (await store.list()).map(names.timeOf).filter((found) => found !== null),
      ),
    async backup() {
      const made = await backUp(target, { context, signal, onProgress: () => undefined });
      for (const line of formatMade(made)) say(line);
    },
    onFailure(error, retryAt) {
      const reason = error instanceof CommandError ? error.message : inspect(error);
      say(`Failed, next try at ${time(retryAt)}: ${reason}`);
    },
    wait: (milliseconds, until) => wait(milliseconds, undefined, { signal: until }),
  });
}
