import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import { pictureFiles } from '@app/contract/blog/pictures';
import type { Database } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { pictures } from '@app/db/schema/pictures';
import { isNotNull } from 'drizzle-orm';
import * as v from 'valibot';
import { pictureFileOf } from '../../blog/pictures/picture-files.ts';
import { type AnyCommand, defineCommand, type FolderContext } from '../../cli/command.ts';
import { CommandError, UsageError } from '../../cli/errors.ts';
import { orExplain } from '../../cli/explain.ts';
import { megabytes } from '../../cli/megabytes.ts';
import { count } from '../../cli/schemas.ts';
import { credentialsOf } from '../../cli/settings.ts';
import { counted } from '../../cli/table.ts';
import { untilInterrupted } from '../../cli/until-interrupted.ts';
import { required, type Value } from '../../cli/values.ts';
import type { UploadsSettings } from '../../env.ts';
import { S3Error } from '../../s3/errors.ts';
import { isS3Url, parseS3Url, s3UrlOf } from '../../s3/s3-url.ts';
import { claimBucket } from '../../s3/server-bucket.ts';
import { copyUploads } from './copy-uploads.ts';
import { siteIdOf } from './site-id.ts';
import { openUploadStore, type UploadStore } from './upload-store.ts';

const folder = 'folder';

const target: Value<string> = {
  placeholder: 'URL or folder',
  description: `The target: an s3:// URL, or the word ${folder} for DATA_DIR.`,
  parse(given) {
    if (given === folder) return given;
    if (!isS3Url(given)) {
      throw new UsageError(`--to ${given}: use an s3:// URL, or the word ${folder} for DATA_DIR.`);
    }
    // Rejects an invalid URL before any work.
    parseS3Url(given);
    return given;
  },
};

const move = defineCommand({
  name: 'uploads move',
  summary: 'Copies avatars and pictures to a bucket, or back to DATA_DIR.',
  uses: 'database',
  arguments: {},
  options: { to: required(target) },
  examples: [
    'uploads move --to s3://my-bucket/site?region=eu-central-1',
    'uploads move --to folder',
  ],
  result: v.strictObject({
    from: v.string(),
    to: v.string(),
    files: count,
    bytes: count,
    copied: count,
    existing: count,
    gone: count,
    /** Files that the database refers to but the target does not have. */
    missing: v.array(v.string()),
  }),
  async run(context, given) {
    const { settings, dataDir, db, progress: onProgress } = context;
    const to = targetOf(given.options.to, context);
    const from = settings.uploads;
    if (nameOf(from) === nameOf(to)) {
      throw new CommandError('conflict', `The files are already in ${nameOf(to)}.`);
    }
    const [source, destination] = await Promise.all(
      [from, to].map((uploads) => openUploadStore(uploads, dataDir)),
    );
    if (!source || !destination) throw new Error('a store was not opened');
    return await untilInterrupted((signal) =>
      orExplain(signal, failures, async () => {
        if (to) await claim(to, db);
        onProgress(`Copying from ${nameOf(from)} to ${nameOf(to)} …`);
        const copied = await copyUploads(source, destination, { signal, onProgress });
        onProgress('Comparing with the database …');
        const missing = await findMissing(db, destination);
        return { from: nameOf(from), to: nameOf(to), ...copied, missing };
      }),
    );
  },
  format({ from, to, files, bytes, copied, existing, gone, missing }) {
    const setting = to === folder ? 'unset UPLOADS_URL' : `set UPLOADS_URL to ${to}`;
    return [
      ...missing.map((name) => `The database refers to ${name}, which is missing.`),
      `${counted(files, 'file')} (${megabytes(bytes)}): ${copied} copied, ${existing} already there${gone > 0 ? `, ${gone} deleted in the meantime` : ''}. Each was verified.`,
      `Nothing was removed from ${from}. If servers are running, stop all of them and run this command again, to copy files that were uploaded in the meantime. Then ${setting}, and start them.\n`,
    ].join('\n');
  },
});

function targetOf(
  given: string,
  { settings }: Pick<FolderContext, 'settings'>,
): UploadsSettings | undefined {
  if (given === folder) return undefined;
  return { location: parseS3Url(given), credentials: credentialsOf(settings) };
}

const nameOf = (uploads: UploadsSettings | undefined): string =>
  uploads ? s3UrlOf(uploads.location, uploads.location.key) : folder;

async function claim({ location, credentials }: UploadsSettings, db: Database): Promise<void> {
  const { openBucket } = await import('../../s3/bucket.ts');
  const bucket = openBucket(location, credentials);
  if (await claimBucket(bucket, siteIdOf(db))) return;
  throw new CommandError(
    'conflict',
    `${s3UrlOf(location, location.key)} has the files of another site: choose another prefix.`,
  );
}

function* namesIn(db: Database): Generator<string> {
  const avatars = db
    .select({ url: profiles.avatarUrl })
    .from(profiles)
    .where(isNotNull(profiles.avatarUrl));
  for (const { url } of avatars.all()) {
    if (url !== null) yield* [url, smallAvatarUrl(url)].map((path) => path.slice(1));
  }
  for (const picture of db.select().from(pictures).all()) {
    yield* pictureFiles(picture).map(pictureFileOf);
  }
}

async function findMissing(db: Database, store: UploadStore): Promise<string[]> {
  const present = new Set<string>();
  for await (const { name } of store.list()) present.add(name);
  return [...namesIn(db)].filter((name) => !present.has(name));
}

const failures = {
  explain: (error: unknown) =>
    error instanceof S3Error
      ? new CommandError('storage', `${error.message}. Run the command again to copy the rest.`)
      : undefined,
  interrupted: 'Interrupted. Run the command again to copy the rest.',
  diskFull: 'The disk is full. Free some space, then run the command again to copy the rest.',
  fileSystem: (message: string) => `${message}.`,
};

export const uploadCommands: readonly AnyCommand[] = [move];
