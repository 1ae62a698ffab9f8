import sharp from 'sharp';
import type { TestBrowser } from './test-app.ts';

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
