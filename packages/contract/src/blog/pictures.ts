/** Widths besides the largest one, and the limits of that. */
const smallerWidths = [480, 960] as const;
export const maxPictureWidth = 1_600;
/** For screenshots of long pages. */
export const maxPictureHeight = 3_200;

export type PictureFormat = 'avif' | 'webp';

export interface PictureSize {
  width: number;
  height: number;
}

/** What its path says: the largest width and height that it is stored in. */
export interface PicturePath extends PictureSize {
  id: string;
}

const pathPattern = /^\/pictures\/([\da-f]{24})\/(\d{1,4})x(\d{1,4})\.webp$/;

/**
 * A picture in Markdown and in cover fields: its largest WebP file. The path says all that a page
 * needs to know about it, so posts are rendered without the database.
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

/** The sizes that a picture is stored in, smallest first; never larger than it is. */
export const pictureSizes = ({ width, height }: PictureSize): PictureSize[] => [
  ...smallerWidths
    .filter((smaller) => smaller < width)
    .map((smaller) => ({
      width: smaller,
      height: Math.max(1, Math.round((smaller * height) / width)),
    })),
  { width, height },
];

/** URL paths of all its files. */
export const pictureFiles = (picture: PicturePath): string[] =>
  pictureSizes(picture).flatMap((size) => [
    fileOf(picture.id, size, 'avif'),
    fileOf(picture.id, size, 'webp'),
  ]);

/** HTML, 4.8.4.2.1. */
export const pictureSrcset = (picture: PicturePath, format: PictureFormat): string =>
  pictureSizes(picture)
    .map((size) => `${fileOf(picture.id, size, format)} ${size.width}w`)
    .join(', ');

const fileOf = (id: string, { width, height }: PictureSize, format: PictureFormat): string =>
  `/pictures/${id}/${width}x${height}.${format}`;

const anyPath = /\/pictures\/([\da-f]{24})\/\d/g;

/** Ids of the pictures that a post's texts refer to. */
export const pictureIdsIn = (...texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(anyPath)].map(([, id = '']) => id)));

/** A caption needs a paragraph of its own. */
export const markdownOfPicture = (path: string, alt: string, caption = ''): string => {
  // Brackets, quotes and backslashes are Markdown.
  const text = onOneLine(alt).replace(/[\\[\]]/g, '\\$&');
  const title = onOneLine(caption).replace(/[\\"]/g, '\\$&');
  return `![${text}](${path}${title && ` "${title}"`})`;
};

/** A paragraph would end at an empty line. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
