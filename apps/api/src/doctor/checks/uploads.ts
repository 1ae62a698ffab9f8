import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { UploadsSettings } from '../../env.ts';
import { S3Error } from '../../s3/errors.ts';
import { isInUse } from '../../storage/data-folder/contents.ts';
import {
  type DeploymentCheck,
  type DeploymentContext,
  type Finding,
  failure,
  ok,
  skipped,
  warning,
} from '../check.ts';

/** In milliseconds. S3 allows for 15 minutes, and the cleanup compares ages of an hour. */
const maxSkew = 60_000;

const timeout = 5_000;

export const uploads: DeploymentCheck = {
  name: 'uploads',
  needs: 'settings',
  seconds: 25,
  async run({ env, dataDir, clock }) {
    if (!env.uploads) return [skipped('Avatars and pictures are files in DATA_DIR.')];
    return [...(await tryBucket(env.uploads, clock)), ...findLeftBehind(dataDir)];
  },
};

async function tryBucket(
  { location, credentials }: UploadsSettings,
  clock: DeploymentContext['clock'],
): Promise<Finding[]> {
  const { openBucket } = await import('../../s3/bucket.ts');
  const bucket = openBucket(location, credentials, { timeout });
  const key = `doctor-${randomUUID()}`;
  const content = randomBytes(1_024);
  let step = 'listed';
  try {
    await bucket.list(key).next();
    step = 'written';
    await bucket.put(key, content);
    step = 'read';
    const read = await bucket.get(key);
    step = 'deleted';
    await bucket.remove(key);
    if (!read?.equals(content)) {
      return [
        failure(
          `The bucket ${location.bucket} does not return what was stored.`,
          'Use a service where objects can be read as soon as they are stored, as with S3.',
        ),
      ];
    }
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    return [
      failure(
        `A test object could not be ${step} (${error.message}).`,
        'Check UPLOADS_URL with its endpoint and region, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they allow listing, reading, writing and deleting in the bucket.',
      ),
    ];
  }
  const skew = Math.abs(clock.now() - (bucket.serverTime() ?? clock.now()));
  if (skew > maxSkew) {
    return [
      failure(
        `The clock differs from that of the bucket's server by ${Math.round(skew / 1_000)} seconds.`,
        'Turn on synchronization: `timedatectl set-ntp true`.',
      ),
    ];
  }
  return [ok(`The bucket ${location.bucket} can be listed, read and written.`)];
}

const findLeftBehind = (dataDir: string): Finding[] =>
  isInUse(join(dataDir, 'uploads'))
    ? [
        warning(
          'DATA_DIR/uploads has files, which the server does not use because UPLOADS_URL is set.',
          'If they are not in the bucket, stop the servers, unset UPLOADS_URL, and run `pnpm cli uploads move --to <URL>`. Then delete DATA_DIR/uploads.',
        ),
      ]
    : [];
