/** Every picture is also stored in these widths, if it is larger. */
const smallerWidths = [480, 960] as const;
export const maxPictureWidth = 1_600;
/** Enough for screenshots of long pages. */
export const maxPictureHeight = 3_200;

export type PictureFormat = 'avif' | 'webp';

export interface PictureSize {
  width: number;
  height: number;
}

/** What the path of a picture contains: its id and the largest size it is stored in. */
export interface PicturePath extends PictureSize {
  id: string;
}

const pathPattern = /^\/pictures\/([\da-f]{24})\/(\d{1,4})x(\d{1,4})\.webp$/;

/**
 * The path of a picture in Markdown and in cover fields, which is that of its largest WebP file. It
 * contains all that a page needs to know, so that posts can be rendered without the database.
 */
export const picturePath = ({ id, width, height }: PicturePath): string =>
  fileOf(id, { width, height }, 'webp');

/** Null for other URLs. */
export function parsePicturePath(url: string): PicturePath | null {
  const [, id = '', width, height] = pathPattern.exec(url) ?? [];
  const size = { width: Number(width), height: Number(height) };
  const isSize =
    size.width >= 1 &&
    size.width <= maxPictureWidth &&
    size.height >= 1 &&
    size.height <= maxPictureHeight;
  return id !== '' && isSize ? { id, ...size } : null;
}

/** The sizes that a picture is stored in, smallest first. It is never enlarged. */
export const pictureSizes = ({ width, height }: PictureSize): PictureSize[] => [
  ...smallerWidths
    .filter((smaller) => smaller < width)
    .map((smaller) => ({
      width: smaller,
      height: Math.max(1, Math.round((smaller * height) / width)),
    })),
  { width, height },
];

/** URL paths. */
export const pictureFiles = (picture: PicturePath): string[] =>
  pictureSizes(picture).flatMap((size) => [
    fileOf(picture.id, size, 'avif'),
    fileOf(picture.id, size, 'webp'),
  ]);

/** A value for `srcset` (HTML, 4.8.4.2.1). */
export const pictureSrcset = (picture: PicturePath, format: PictureFormat): string =>
  pictureSizes(picture)
    .map((size) => `${fileOf(picture.id, size, format)} ${size.width}w`)
    .join(', ');

const fileOf = (id: string, { width, height }: PictureSize, format: PictureFormat): string =>
  `/pictures/${id}/${width}x${height}.${format}`;

const anyPath = /\/pictures\/([\da-f]{24})\/\d/g;

export const pictureIdsIn = (...texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(anyPath)].map(([, id = '']) => id)));
