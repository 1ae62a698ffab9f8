import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Picture, PictureList } from '@app/contract/blog/picture-replies';
import type { PostSaved } from '@app/contract/blog/posts';
import { pictures } from '@app/db/schema/pictures';
import sharp from 'sharp';
import type { TestApp, TestBrowser } from './test-app.ts';

export const plainPicture = (width = 300, height = 200, background = '#d33') =>
  sharp({ create: { width, height, channels: 3, background } });

/** An image that does not compress. */
export const noisePicture = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

export function fileForm(bytes: Uint8Array, name = 'me.png', field = 'file'): FormData {
  const form = new FormData();
  form.set(field, new File([new Uint8Array(bytes)], name, { type: 'image/png' }));
  return form;
}

export const putAvatar = (
  browser: TestBrowser,
  bytes: Uint8Array,
  name?: string,
): Promise<Response> =>
  browser.request('PUT', '/api/profile/avatar', { body: fileForm(bytes, name) });

export const smallPicture = () => plainPicture(60, 40).png().toBuffer();

export async function uploadPicture(
  browser: TestBrowser,
  bytes: Uint8Array,
  alt?: string,
): Promise<Response> {
  const body = fileForm(bytes);
  if (alt !== undefined) body.set('alt', alt);
  return browser.request('POST', '/api/posts/pictures', { body });
}

export async function addPicture(
  browser: TestBrowser,
  bytes?: Uint8Array,
  alt = '',
): Promise<Picture> {
  const response = await uploadPicture(browser, bytes ?? (await smallPicture()), alt);
  if (response.status !== 201) throw new Error(`the upload answered ${response.status}`);
  return (await response.json()) as Picture;
}

export const pictureFolders = ({ dataDir }: Pick<TestApp, 'dataDir'>): string[] => {
  const folder = join(dataDir, 'uploads/pictures');
  return existsSync(folder) ? readdirSync(folder) : [];
};

export const pictureRows = ({ deps }: TestApp) => deps.db.select().from(pictures).all();

export const listPictures = async (browser: TestBrowser, query = ''): Promise<PictureList> =>
  (await (await browser.get(`/api/posts/pictures${query}`)).json()) as PictureList;

export async function savePost(browser: TestBrowser, more: object): Promise<PostSaved['post']> {
  const response = await browser.post('/api/posts', {
    title: 'Title',
    slug: 'slug',
    content: 'Text',
    ...more,
  });
  if (response.status !== 201) throw new Error(`saving a post answered ${response.status}`);
  return ((await response.json()) as PostSaved).post;
}
