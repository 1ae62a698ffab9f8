import type { Clock } from '../../clock.ts';
import type { UploadsSettings } from '../../env.ts';
import { bucketPictureFiles } from './bucket-picture-files.ts';
import { createPictureFiles, type PictureFiles } from './picture-files.ts';

interface PictureFileSettings {
  settings: { uploads: UploadsSettings | undefined };
  dataDir: string;
  clock: Clock;
}

/** For CLI commands. */
export async function openPictureFiles({
  settings: { uploads },
  dataDir,
  clock,
}: PictureFileSettings): Promise<PictureFiles> {
  if (!uploads) return createPictureFiles(dataDir);
  const { openBucket } = await import('../../s3/bucket.ts');
  return bucketPictureFiles(openBucket(uploads.location, uploads.credentials), clock);
}
