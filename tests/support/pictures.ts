import { expect, type Locator, type Page } from 'playwright/test';
import sharp from 'sharp';

export const pictureInput = 'Pictures from this device';

export const uploadList = (page: Page): Locator =>
  page.getByRole('list', { name: 'Pictures that you are adding' });

/** The source of a regular expression. @param size such as 30x20 */
export const picturePath = (size: string): string =>
  String.raw`/pictures/[\da-f]{24}/${size}\.webp`;

export const png = (width: number, height = 20): Promise<Buffer<ArrayBufferLike>> =>
  sharp({ create: { width, height, channels: 3, background: '#0f5140' } })
    .png()
    .toBuffer();

interface PictureFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export const pictureFile = async (name: string, width: number): Promise<PictureFile> => ({
  name,
  mimeType: 'image/png',
  buffer: await png(width),
});

/** @returns the picture's path */
export async function storePicture(
  page: Page,
  url: string,
  alt: string,
  width = 40,
): Promise<string> {
  const reply = await page.request.post('/api/posts/pictures', {
    headers: { Origin: url },
    multipart: { alt, file: await pictureFile('picture.png', width) },
  });
  expect(reply.status()).toBe(201);
  return (await reply.json()).path;
}

/** @returns a function that releases the uploads */
export async function holdUploads(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/api/posts/pictures', async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}
