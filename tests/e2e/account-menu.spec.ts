import { unsaved } from '@app/site/blog/unsaved';
import type { Page } from 'playwright/test';
import { addUser, endSessions, openProfile, signInAs, signInNewUser } from '../support/account.ts';
import { findings, findingsInBothThemes } from '../support/axe.ts';
import { previewOf } from '../support/post-editor.ts';
import { expect, idle, test } from '../support/site-test.ts';

const parts = (page: Page) => ({
  avatar: page.getByRole('button', { name: 'Your account' }),
  menu: page.locator('#account-menu'),
  profile: page.getByRole('menuitem', { name: 'Profile' }),
  logOut: page.getByRole('menuitem', { name: 'Log out' }),
  signIn: page.getByRole('contentinfo').getByRole('link', { name: 'Admin Sign In' }),
});

const letterOf = (page: Page): Promise<string> =>
  page
    .locator('#account-avatar')
    .evaluate((avatar) => getComputedStyle(avatar, '::before').content);
const pictureOf = (page: Page): Promise<string> =>
  page.locator('#account-avatar').evaluate((avatar) => getComputedStyle(avatar).backgroundImage);

/** Records in `window` what the header shows at each frame. */
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
  // Too narrow for the editor's preview, whose frame runs no scripts, not even those of tests.
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

test('the menu shows the names, links to the profile and logs out', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  const { avatar, menu, profile, logOut, signIn } = parts(page);
  await page.goto('/about');
  await expect(signIn).toBeHidden();
  await avatar.click();
  await expect(menu.getByText(email)).toBeVisible();

  await profile.click();
  await page.waitForURL('/profile');
  await page.getByLabel('Username').fill(`u${email.slice(4, 12)}`);
  await page.getByLabel('Full Name').fill('Ann Author');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile updated')).toBeVisible();
  await avatar.click();
  await expect(menu.getByText('Ann Author')).toBeVisible();
  await expect(menu.getByText(`u${email.slice(4, 12)}`)).toBeVisible();
  await expect(menu.getByText(email)).toBeHidden();

  await page.goto('/about');
  await avatar.click();
  await logOut.click();
  await expect(page.getByText('Signed out successfully')).toBeVisible();
  await expect(page).toHaveURL('/about');
  await expect(avatar).toBeHidden();
  await expect(signIn).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('account'))).toBeNull();
  const session = await page.request.get('/api/auth/session');
  expect(await session.json()).toEqual({ user: null });
});

test('a username equal to the full name appears once', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const name = `u${email.slice(4, 12)}`;
  await page.request.patch('/api/profile', {
    data: { username: name, fullName: name },
    headers: { origin: site.url },
  });
  await page.goto('/about');
  const { avatar, menu } = parts(page);
  await idle(page);
  await avatar.click();
  await expect(menu.getByText(name)).toHaveCount(1);
});

test('by keyboard', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await page.goto('/about');
  const { avatar, menu, profile, logOut } = parts(page);
  for (const key of ['Enter', 'Space', 'ArrowDown']) {
    await avatar.focus();
    await page.keyboard.press(key);
    await expect(menu).toBeVisible();
    await expect(profile).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(avatar).toBeFocused();
  }
  await page.keyboard.press('ArrowUp');
  await expect(logOut).toBeFocused();
  for (const [key, item] of [
    ['ArrowDown', profile],
    ['ArrowDown', logOut],
    ['Home', profile],
    ['End', logOut],
    ['ArrowUp', profile],
    ['ArrowUp', logOut],
  ] as const) {
    await page.keyboard.press(key);
    await expect(item).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(menu).toBeHidden();
  await expect(page.locator(':focus')).toBeVisible();
});

test('tabs stay in sync after sign-in and sign-out', async ({ page, site, email, context }) => {
  const other = await context.newPage();
  const auth = await context.newPage();
  await other.goto('/about');
  await auth.goto('/auth');
  await signInNewUser(page, site, email);
  await page.goto('/blog');

  // Without any interaction. The third page does not depend on the sign-in.
  await expect(parts(other).avatar).toBeVisible();
  await expect(parts(other).signIn).toBeHidden();
  await auth.waitForURL('/blog');

  await openProfile(auth, 'profile');
  await parts(page).avatar.click();
  await parts(page).logOut.click();
  await expect(parts(other).avatar).toBeHidden();
  await expect(parts(other).signIn).toBeVisible();
  await auth.waitForURL('/auth?next=%2Fprofile#signed-out');
});

test('signing out in another tab keeps unsaved text', async ({ page, site, email, context }) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog');
  const editor = await context.newPage();
  await editor.goto('/blog/editor');
  await editor.getByLabel('Title').fill('Half a post');
  // Requests that follow the text must not meet the end of the session.
  await expect(editor.locator('#editor-status')).toContainText('Saved, not published');
  await expect(editor.locator('#post-slug-status')).toHaveText('This URL is free.');
  await expect(previewOf(editor).getByRole('heading', { name: 'Half a post' })).toBeVisible();
  await parts(page).avatar.click();
  await parts(page).logOut.click();
  await expect(parts(editor).avatar).toBeHidden();
  await expect(editor.getByLabel('Title')).toHaveValue('Half a post');
});

test('logging out leaves pages for signed-in users and shows a toast', async ({
  page,
  site,
  email,
}) => {
  await addUser(site, email);
  const { avatar, logOut } = parts(page);
  for (const [path, to] of [
    ['/blog/editor', '/blog'],
    ['/profile', '/auth'],
  ] as const) {
    await signInAs(page, site, email);
    await page.goto(path);
    await expect(page.getByText('Loading...')).toBeHidden();
    await avatar.click();
    await logOut.click();
    await page.waitForURL(to);
    await expect(page.getByText('Signed out successfully')).toBeVisible();
  }
});

test('text that cannot be sent is deleted by a sign-out only after a question', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  await page.route('**/api/posts/drafts/*', (route) => route.abort('failed'));
  pageErrors.expect(/ERR_FAILED/);
  await page.goto('/blog/editor');
  await page.getByLabel('Title').fill('Half a post');
  await expect(page.locator('#editor-status')).toContainText('On this device only');
  const { avatar, logOut } = parts(page);
  const questions: string[] = [];

  page.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await avatar.click();
  await logOut.click();
  await expect(logOut).toBeHidden();
  await expect(avatar).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Half a post');

  page.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.accept();
  });
  await avatar.click();
  await logOut.click();
  await page.waitForURL('/blog');
  await expect(page.getByText('Signed out successfully')).toBeVisible();
  expect(questions).toEqual([unsaved.signOut, unsaved.signOut]);
});

/** The server stores it, but its answer never arrives. */
const leaveTextOnDevice = async (page: Page) => {
  await page.route('**/api/posts/drafts/*', async (route) => {
    if (route.request().method() === 'PUT') await route.fetch();
    await route.abort('failed');
  });
  await page.goto('/blog/editor');
  await page.getByLabel('Title').fill('Half a post');
  await expect(page.locator('#editor-status')).toContainText('On this device only');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.goto('/about');
  await page.unroute('**/api/posts/drafts/*');
};

test('a sign-out does not ask about text that the server has stored without an answer', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  pageErrors.expect(/ERR_FAILED/);
  pageErrors.expect(/status of 409/);
  await leaveTextOnDevice(page);
  await parts(page).avatar.click();
  await parts(page).logOut.click();
  await expect(page.getByText('Signed out successfully')).toBeVisible();
});

test('a sign-out asks, too, when the browser cannot delete stored text', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  pageErrors.expect(/ERR_FAILED/);
  pageErrors.expect(/status of 409/);
  await leaveTextOnDevice(page);
  await page.evaluate(() => {
    IDBObjectStore.prototype.delete = () => {
      throw new DOMException('The disk is full.', 'QuotaExceededError');
    };
  });

  const questions: string[] = [];
  page.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.accept();
  });
  await parts(page).avatar.click();
  await parts(page).logOut.click();
  await expect(page.getByText('Signed out successfully')).toBeVisible();
  expect(questions).toEqual([unsaved.signOut]);
});

test('a failed logout shows an error', async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  await page.goto('/about');
  const { avatar, logOut } = parts(page);
  await page.route('**/api/auth/sign-out', (route) => route.abort());
  pageErrors.expect(/ERR_FAILED/, '/api/auth/sign-out');
  await avatar.click();
  await logOut.click();
  await expect(page.getByRole('alert').getByText('Sign-out failed')).toBeVisible();
  await expect(avatar).toBeVisible();
});

test('a session that ended elsewhere ends here on the next page view', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog');
  await expect(parts(page).avatar).toBeVisible();
  endSessions(site, email);
  await page.goto('/about');
  await expect(parts(page).signIn).toBeVisible();
  await expect(parts(page).avatar).toBeHidden();
});

test('a new picture appears in the header, in other tabs and in the next first frame', async ({
  page,
  site,
  email,
  context,
}) => {
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
    await expect.poll(() => letterOf(tab)).toBe('none');
  }
  await watchAvatars(page);
  await page.goto('/');
  await idle(page);
  await expect.poll(() => avatarsSeen(page)).toEqual(['avatar none']);

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

test('the account menu passes axe', { tag: '@phone' }, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await page.goto('/terms');
  const { avatar, menu } = parts(page);
  const found = await findingsInBothThemes(page, 'closed');
  await avatar.click();
  await expect(menu).toBeInViewport({ ratio: 1 });
  found.push(...(await findings(page, 'open')));
  expect(found).toEqual([]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the avatar of a page for one person leads to the profile', async ({
    page,
    site,
    email,
  }) => {
    await signInNewUser(page, site, email);
    await page.goto('/profile');
    const avatar = page.getByRole('link', { name: 'Your account' });
    await expect(avatar).toBeVisible();
    await expect(avatar).toHaveAttribute('href', '/profile');
    await expect(page.getByRole('link', { name: 'Admin Sign In' })).toBeHidden();
  });
});
