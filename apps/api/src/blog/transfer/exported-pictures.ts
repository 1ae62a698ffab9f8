import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
import type { PictureFiles } from '../pictures/picture-files.ts';
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

export const findPictures = (tx: Transaction, post: Texts): PicturePath[] =>
  [...idsIn(post)].flatMap((id) => findPicture(tx, id) ?? []);

/**
 * Copies a picture's files to the paths of their URLs.
 * @returns the URLs of missing files
 */
export async function exportPicture(
  picture: PicturePath,
  { files, folder }: { files: PictureFiles; folder: string },
): Promise<string[]> {
  const missing: string[] = [];
  for (const url of pictureFiles(picture)) {
    const bytes = await files.read(picture.id, basename(url));
    if (!bytes) {
      missing.push(url);
      continue;
    }
    await mkdir(dirname(join(folder, url)), { recursive: true });
    await writeFile(join(folder, url), bytes);
  }
  return missing;
}

interface PictureImport {
  db: Database;
  files: PictureFiles;
  /** The folder of the export. */
  folder: string;
  now: number;
  isDryRun: boolean;
}

/**
 * Imports a post's pictures from an export of this site. They keep their ids and files, so texts
 * need no change and another export has the same bytes.
 * @returns a sentence for each missing picture
 */
export async function importPictures(
  { db, files, folder, now, isDryRun }: PictureImport,
  post: Texts,
  userId: string | null,
): Promise<string[]> {
  const notes: string[] = [];
  for (const id of idsIn(post)) {
    if (findPicture(db, id)) continue;
    const picture = await readPicture(folder, id);
    if (!picture) {
      notes.push(`The picture ${id} is not in the export as AVIF and WebP.`);
      continue;
    }
    if (isDryRun) continue;
    await storePicture({ db, files }, { id, userId, alt: '', images: picture, now });
  }
  return notes;
}

/** Null unless all sizes exist in both formats. */
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

/** Checks the signature (RFC 9649 §2.4; AVIF 1.1 §6). Browsers sniff no other type from it. */
function isOfFormat(bytes: Buffer, format: 'avif' | 'webp'): boolean {
  const text = bytes.toString('latin1', 0, 12);
  return format === 'webp' ? /^RIFF.{4}WEBP$/s.test(text) : text.slice(4) === 'ftypavif';
}
