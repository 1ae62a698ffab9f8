import { hash } from 'node:crypto';
import { picturePath } from '@app/contract/blog/pictures';
import { imageMessages, refusalMessages } from '@app/contract/images';
import { limits } from '@app/contract/limits';
import type { Database } from '@app/db/open';
import { pictures } from '@app/db/schema/pictures';
import { eq } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { Clock } from '../../clock.ts';
import type { ImageFailure, ImageProcessor } from '../../images/image-processor.ts';
import type { PictureFiles } from '../pictures/picture-files.ts';
import { storePicture } from '../pictures/store-picture.ts';
import { FetchError, fetchFile } from './fetch-file.ts';

interface FetchedPicturesParts {
  db: Database;
  files: PictureFiles;
  clock: Clock;
  images: Pick<ImageProcessor, 'resizePicture'>;
  signal: AbortSignal;
  /** For tests. */
  load?: typeof fetchFile;
}

export type FetchedPictures = ReturnType<typeof createFetchedPictures>;

/** Copies pictures from the web to this site, encoded again like uploads. */
export function createFetchedPictures({
  db,
  files,
  clock,
  images,
  signal,
  load = fetchFile,
}: FetchedPicturesParts) {
  const known = new Map<string, Promise<string>>();
  const limit = pLimit(2);

  async function add(url: string, userId: string | null): Promise<string> {
    // Derived from the URL, so that a second run finds the picture.
    const id = hash('sha256', `fetched picture ${url}`).slice(0, 24);
    const stored = db.select().from(pictures).where(eq(pictures.id, id)).get();
    if (stored) return picturePath(stored);
    const bytes = await load(url, { maxBytes: limits.imageBytes, signal });
    const resized = await images.resizePicture(bytes, url);
    if ('refused' in resized) throw new FetchError(reasonOf(resized));
    const picture = { id, userId, alt: '', images: resized, now: clock.now() };
    return picturePath(await storePicture<never>({ db, files }, picture));
  }

  return {
    /** Returns the paths of the stored pictures by URL. Failures become notes. */
    async fetchAll(
      urls: readonly string[],
      userId: string | null,
      notes: string[],
    ): Promise<Record<string, string>> {
      const paths: Record<string, string> = {};
      for (const url of new Set(urls)) {
        if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) continue;
        const adding = known.get(url) ?? limit(() => add(url, userId));
        known.set(url, adding);
        try {
          paths[url] = await adding;
        } catch (error) {
          if (!(error instanceof FetchError)) throw error;
          notes.push(`The picture ${url} stays on the web: ${error.message}.`);
        }
      }
      return paths;
    },
  };
}

const reasonOf = (failure: ImageFailure): string =>
  'retryAfterSeconds' in failure ? imageMessages.busy : refusalMessages[failure.refused];
