import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pictureSizes } from '@app/contract/blog/pictures';
import { open } from '@app/db/open';
import { bucketPictureFiles } from '../blog/pictures/bucket-picture-files.ts';
import { storePicture } from '../blog/pictures/store-picture.ts';
import { systemClock } from '../clock.ts';
import { openBucket } from '../s3/bucket.ts';
import { parseS3Url } from '../s3/s3-url.ts';

/** Stores pictures until it is killed. Prints the id of each that is stored. */
const [, , dataDir = '', url = '', accessKeyId = '', secretAccessKey = ''] = process.argv;
const credentials = { accessKeyId, secretAccessKey };
const bucket = openBucket(parseS3Url(url), credentials, { timeout: 30_000 });
const files = bucketPictureFiles(bucket, systemClock);
const db = open(join(dataDir, 'site.db'));

const size = { width: 1_000, height: 500 };
const images = pictureSizes(size).flatMap((each) =>
  (['avif', 'webp'] as const).map((format) => ({ ...each, format, bytes: randomBytes(2_000) })),
);

async function storeOne(): Promise<void> {
  const id = randomBytes(12).toString('hex');
  const now = systemClock.now();
  const picture = { id, userId: null, alt: '', images: { ...size, images }, now };
  await storePicture({ db, files }, picture);
  process.stdout.write(`${id}\n`);
}

for (;;) await storeOne();
