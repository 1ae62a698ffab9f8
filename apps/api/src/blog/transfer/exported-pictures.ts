import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type PicturePath,
  parsePicturePath,
  pictureFiles,
  pictureIdsIn,
  pictureSizes,
} from '@app/contract/blog/pictures';
import { limits } from '@app/contract/limits';
import type { Database, Transaction } from '@app/db/open';
import { pictures } from '@app/db/schema/pictures';
import { eq } from 'drizzle-orm';
import type { PictureImages } from '../../images/resize-picture.ts';
import { unlessMissing } from '../../unless-missing.ts';
import { createPictureFiles, pictureFileOf } from '../pictures/picture-files.ts';
import { storePicture } from '../pictures/store-picture.ts';

interface Texts {
  content: string;
  coverImage: string | null;
}

const idsIn = ({ content, coverImage }: Texts): Set<string> =>
  pictureIdsIn(coverImage ?? '', content);

const findPicture = (db: Database | Transaction, id: string): PicturePath | undefined =>
  db
    .select({ id: pictures.id, width: pictures.width, height: pictures.height })
    .from(pictures)
    .where(eq(pictures.id, id))
    .get();

/** Copies the files of a post's pictures, under the paths of their URLs. */
export function exportPictures(
  tx: Transaction,
  post: Texts,
  { dataDir, folder }: { dataDir: string; folder: string },
): number {
  let copied = 0;
  for (const id of idsIn(post)) {
    const picture = findPicture(tx, id);
    if (!picture || existsSync(join(folder, 'pictures', id))) continue;
    for (const url of pictureFiles(picture)) {
      const file = join(dataDir, pictureFileOf(url));
      if (!existsSync(file)) continue;
      mkdirSync(dirname(join(folder, url)), { recursive: true });
      copyFileSync(file, join(folder, url));
    }
    copied += 1;
  }
  return copied;
}

interface PictureImport {
  db: Database;
  dataDir: string;
  /** Of the export. */
  folder: string;
  now: number;
  isDryRun: boolean;
}

/**
 * Imports a post's pictures from an export of this site. They keep their ids and files, so texts
 * need no change, and another export has the same bytes.
 * @returns what is missing, in sentences
 */
export async function importPictures(
  { db, dataDir, folder, now, isDryRun }: PictureImport,
  post: Texts,
  userId: string | null,
): Promise<string[]> {
  const notes: string[] = [];
  for (const id of idsIn(post)) {
    if (findPicture(db, id)) continue;
    const picture = await readPicture(folder, id);
    if (!picture) {
      notes.push(`The picture ${id} is missing: not in the export, or not as AVIF and WebP.`);
      continue;
    }
    if (isDryRun) continue;
    const files = createPictureFiles(dataDir);
    await storePicture({ db, files }, { id, userId, alt: '', images: picture, now });
  }
  return notes;
}

/** Null unless all sizes are there in both formats. */
async function readPicture(folder: string, id: string): Promise<PictureImages | null> {
  const names = await unlessMissing(readdir(join(folder, 'pictures', id)), []);
  const [largest] = names
    .flatMap((name) => parsePicturePath(`/pictures/${id}/${name}`) ?? [])
    .sort((a, b) => b.width - a.width);
  if (!largest) return null;
  const images: PictureImages['images'] = [];
  for (const size of pictureSizes(largest)) {
    for (const format of ['avif', 'webp'] as const) {
      const name = `${size.width}x${size.height}.${format}`;
      const file = join(folder, 'pictures', id, name);
      const bytes = await unlessMissing(readFile(file), null);
      if (!bytes || bytes.length > limits.imageBytes || !isOfFormat(bytes, format)) return null;
      images.push({ ...size, format, bytes });
    }
  }
  return { width: largest.width, height: largest.height, images };
}

/** By their signatures (RFC 9649 §2.4; AVIF 1.1 §6). Browsers sniff no other type from them. */
function isOfFormat(bytes: Buffer, format: 'avif' | 'webp'): boolean {
  const text = bytes.toString('latin1', 0, 12);
  return format === 'webp' ? /^RIFF.{4}WEBP$/s.test(text) : text.slice(4) === 'ftypavif';
}
