import type { APIRequestContext } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { expect, test } from '../support/site-test.ts';

async function sharingOf(request: APIRequestContext, path: string): Promise<Map<string, string>> {
  const html = await (await request.get(path)).text();
  const elements = html.matchAll(/<meta (?:property|name)="([^"]*)" content="([^"]*)">/g);
  return new Map([...elements].map(([, name = '', content = '']) => [name, content]));
}

/** Width and height from a PNG's first chunk (PNG 3 §11.2.1). */
const sizeOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];

const maxCardBytes = 60_000;

async function expectCard(request: APIRequestContext, site: string, path: string): Promise<void> {
  const sharing = await sharingOf(request, path);
  const image = sharing.get('og:image') ?? '';
  expect(image).toMatch(new RegExp(`^${site}/cards/(?:[\\w.-]+/)?[0-9a-f]+\\.png$`));
  await expect.poll(async () => (await request.get(image)).status()).toBe(200);
  const response = await request.get(image);
  expect(response.headers()['content-type']).toBe('image/png');
  expect(response.headers()['cache-control']).toBe('no-cache');
  const png = await response.body();
  expect(sizeOf(png)).toEqual([1200, 630]);
  expect(png.length).toBeLessThanOrEqual(maxCardBytes);
  expect(sharing.get('og:image:width')).toBe('1200');
  expect(sharing.get('og:image:height')).toBe('630');
  expect(sharing.get('og:image:alt')).not.toBe('');
  expect(sharing.get('twitter:card')).toBe('summary_large_image');
}

test('every page has a social card', async ({ request, site }) => {
  for (const path of ['/', '/blog', '/contact', '/auth', '/blog/archive']) {
    await expectCard(request, site.url, path);
  }
});

test('a post has a social card with its title, or its own cover', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const origin = { Origin: site.url };
  const post = {
    title: 'A “card” & more',
    slug: email.split('@')[0],
    content: 'x',
    published: true,
  };
  const saved = await page.request.post('/api/posts', { data: post, headers: origin });
  expect(saved.status()).toBe(201);
  await expectCard(page.request, site.url, `/blog/${post.slug}`);

  const { post: stored } = await saved.json();
  const coverImage = `${site.url}/icon-512.png`;
  const changed = await page.request.patch(`/api/posts/${stored.id}`, {
    data: { coverImage },
    headers: origin,
  });
  expect(changed.status()).toBe(200);
  const path = `/blog/${post.slug}`;
  const imageOf = async () => (await sharingOf(page.request, path)).get('og:image');
  await expect.poll(imageOf).toBe(coverImage);
  expect((await sharingOf(page.request, path)).has('og:image:width')).toBe(false);
});

test('icons have the sizes and formats that the web manifest declares', async ({ request }) => {
  const manifest = await (await request.get('/site.webmanifest')).json();
  expect(manifest).toMatchObject({ start_url: '/', name: expect.any(String) });
  const icons = [...manifest.icons, { src: '/apple-touch-icon.png', sizes: '180x180' }];
  for (const { src, sizes } of icons) {
    const response = await request.get(src);
    expect(response.headers()['content-type']).toBe('image/png');
    expect(sizeOf(await response.body()).join('x')).toBe(sizes);
  }
  const response = await request.get('/favicon.ico');
  expect(response.headers()['content-type']).toContain('image/');
});

test('the favicon is inlined and can be decoded', async ({ page }) => {
  await page.goto('/');
  const icon = page.locator('head > link[rel="icon"]');
  const url = (await icon.getAttribute('href')) ?? '';
  expect(url).toMatch(/^data:image\/svg\+xml,/);
  const size = await page.evaluate(async (src) => {
    const picture = new Image(32, 32);
    picture.src = src;
    await picture.decode();
    return picture.naturalWidth;
  }, url);
  expect(size).toBeGreaterThan(0);
});
