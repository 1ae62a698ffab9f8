import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { endSessions, openProfile, signInNewUser } from '../support/account.ts';
import { accountMenu } from '../support/account-menu.ts';
import { expect, idle, test } from '../support/site-test.ts';

const letterOf = (page: Page): Promise<string> =>
  page
    .locator('#account-avatar')
    .evaluate((avatar) => getComputedStyle(avatar, '::before').content);
const pictureOf = (page: Page): Promise<string> =>
  page.locator('#account-avatar').evaluate((avatar) => getComputedStyle(avatar).backgroundImage);

const plain = async (color: string) => ({
  name: 'me.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 120, height: 120, channels: 3, background: color } })
    .png()
    .toBuffer(),
});

/** The avatar's pixels on a screenshot: their color if all are alike, or else 'several colors'. */
const colorOf = async (page: Page): Promise<string> => {
  const box = await page.locator('#account-avatar').boundingBox();
  if (!box) return 'no avatar';
  const { x, y, width, height } = box;
  // A square inside the circle, where the letter would be.
  const inset = width * 0.25;
  const clip = {
    x: x + inset,
    y: y + inset,
    width: width - 2 * inset,
    height: height - 2 * inset,
  };
  const { channels } = await sharp(await page.screenshot({ clip })).stats();
  if (channels.some(({ min, max }) => max - min > 6)) return 'several colors';
  // Rounded, because WebP is lossy.
  return channels
    .slice(0, 3)
    .map(({ mean }) => Math.round(mean / 32) * 32)
    .join(' ');
};

/** Records in `window` what the header shows in each frame. */
const watchAvatars = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { seenAvatars: seen });
    const look = () => {
      const avatar = document.querySelector('#account-avatar');
      const signIn = document.querySelector('footer a[href="/auth"]');
      if (avatar) {
        const { content } = getComputedStyle(avatar, '::before');
        seen.add(getComputedStyle(avatar).display === 'none' ? 'no avatar' : `avatar ${content}`);
      }
      if (signIn && getComputedStyle(signIn).display !== 'none') seen.add('sign in');
      requestAnimationFrame(look);
    };
    look();
  });
};
const avatarsSeen = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...(window as unknown as { seenAvatars: Set<string> }).seenAvatars]);

test('the avatar is correct from the first frame on every kind of page', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog');
  await expect.poll(() => letterOf(page)).toBe('"A"');
  await watchAvatars(page);
  // Too narrow for the editor's preview, because its frame does not run scripts, even of tests.
  await page.setViewportSize({ width: 1_024, height: 800 });
  for (const path of ['/', '/services', '/blog', '/blog/editor', '/profile']) {
    await page.goto(path);
    await idle(page);
    await expect.poll(() => avatarsSeen(page), path).toEqual(['avatar "A"']);
  }
});

test('visitors see no avatar and load no menu script', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await watchAvatars(page);
  await page.goto('/');
  await idle(page);
  const seen = async () => (await avatarsSeen(page)).sort();
  await expect.poll(seen).toEqual(['no avatar', 'sign in']);
  expect(loaded.filter((url) => /AccountMenu|\/api\//.test(url))).toEqual([]);
});

test('the next page view shows that a session has ended elsewhere', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog');
  await expect(accountMenu(page).avatar).toBeVisible();
  endSessions(site, email);
  await page.goto('/about');
  await expect(accountMenu(page).signIn).toBeVisible();
  await expect(accountMenu(page).avatar).toBeHidden();
});

test('a new picture appears in the header, in other tabs and in the next first frame', {
  tag: '@full',
}, async ({ page, site, email, context }) => {
  await signInNewUser(page, site, email);
  const other = await context.newPage();
  await other.goto('/about');
  await page.goto('/about');
  const file = await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } });
  await openProfile(page, 'profile');
  await page.getByRole('button', { name: 'Change Avatar' }).click();
  await page
    .getByLabel('Picture')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: file });
  await page.getByRole('button', { name: 'Upload' }).click();
  for (const tab of [page, other]) {
    await expect.poll(() => pictureOf(tab)).toContain('data:image/webp');
    await expect.poll(() => letterOf(tab)).toBe('""');
  }
  await watchAvatars(page);
  await page.goto('/');
  await idle(page);
  await expect.poll(() => avatarsSeen(page)).toEqual(['avatar ""']);

  // Without the picture, the initial stays.
  const stranger = await context.newPage();
  await stranger.route('**/uploads/**', (route) =>
    route.fulfill({ contentType: 'image/webp', body: 'no picture' }),
  );
  await stranger.goto('/terms');
  await stranger.evaluate(() => localStorage.removeItem('account'));
  await stranger.reload();
  await expect.poll(() => letterOf(stranger)).toBe('"A"');
});

test('an uploaded picture covers the avatar on every page, without a letter', {
  tag: '@phone',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openProfile(page, 'profile');
  const upload = async (color: string) => {
    await page.getByRole('button', { name: 'Change Avatar' }).click();
    await page.getByLabel('Picture').setInputFiles(await plain(color));
    await page.getByRole('button', { name: 'Upload' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  };
  expect(await colorOf(page)).toBe('several colors');

  const colors = { '#4060a0': '64 96 160', '#a04060': '160 64 96' };
  for (const [color, pixels] of Object.entries(colors)) {
    await openProfile(page, 'profile');
    await upload(color);
    await expect.poll(() => colorOf(page)).toBe(pixels);
    for (const path of ['/', '/services', '/blog', '/blog/editor', '/contact', '/profile']) {
      await page.goto(path);
      await idle(page);
      expect(await colorOf(page), path).toBe(pixels);
    }
  }

  await page.getByRole('button', { name: 'Change Avatar' }).click();
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await expect.poll(() => letterOf(page)).toBe('"A"');
  expect(await colorOf(page)).toBe('several colors');
});

test('a browser that remembered a picture with the letter U loses the letter', {
  tag: '@full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await page.request.put('/api/profile/avatar', {
    headers: { Origin: site.url },
    multipart: { file: await plain('#4060a0') },
  });
  await page.goto('/about');
  await expect.poll(() => colorOf(page)).toBe('64 96 160');
  await page.evaluate(() => {
    const account = JSON.parse(localStorage['account']);
    account.avatarStyle = account.avatarStyle.replace(/^.*--picture/, '--picture');
    localStorage['account'] = JSON.stringify(account);
  });
  await page.reload();
  await expect.poll(() => colorOf(page)).toBe('64 96 160');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('personal pages have the account menu, and static pages link to the profile', async ({
    page,
    site,
    email,
  }) => {
    await signInNewUser(page, site, email);
    await page.goto('/about');
    await page.getByRole('banner').getByRole('link', { name: 'Your account' }).click();
    await expect(page).toHaveURL('/profile');
    await expect(page.getByRole('link', { name: 'Admin Sign In' })).toBeHidden();
    const avatar = page.getByRole('button', { name: 'Your account' });
    await expect(avatar).toHaveText('A');

    await page.getByLabel('Username').fill('annie');
    await page.getByLabel('Full Name').fill('Ann Author');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL('/profile#profile-updated');
    await page.request.put('/api/profile/avatar', {
      headers: { Origin: site.url },
      multipart: { file: await plain('#4060a0') },
    });
    for (const path of ['/profile', '/blog/trash', '/blog/pictures']) {
      await page.goto(path);
      await expect(page.getByRole('link', { name: 'Admin Sign In' })).toBeHidden();
      await avatar.click();
      const menu = page.locator('#account-menu');
      await expect(menu).toContainText('Ann Author');
      await expect(menu).toContainText('annie');
      await expect(menu.getByRole('link', { name: 'Profile' })).toBeVisible();
      const picture = avatar.locator('img');
      await expect(picture).toBeVisible();
      const size = await picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
      expect(size).toBeGreaterThan(0);
    }
    await page.locator('#account-menu').getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('/');
    await page.getByRole('banner').getByRole('link', { name: 'Your account' }).click();
    await page.waitForURL(/\/auth\?next=%2Fprofile/);
  });

  test('the sign-in page tells signed-in users where they are', { tag: '@full' }, async ({
    page,
  }) => {
    await page.goto('/auth');
    await page.getByRole('link', { name: 'Open your profile' }).click();
    await page.waitForURL(/\/auth\?next=%2Fprofile/);
  });
});
