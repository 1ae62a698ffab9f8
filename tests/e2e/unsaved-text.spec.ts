import type { Page } from 'playwright/test';
import { endSessions, signInAs, signInNewUser } from '../support/account.ts';
import { contentEditor } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

const status = (page: Page) => page.locator('#editor-status');
const content = (page: Page) => page.locator('textarea[name=content]');

async function type(page: Page, text: string): Promise<void> {
  await contentEditor(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(text);
}

/** The contents of all copies. */
const textsOnDevice = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const request = indexedDB.open('unsaved-text');
    await new Promise((opened) => request.addEventListener('success', opened));
    const all = request.result.transaction('copies').objectStore('copies').getAll();
    await new Promise((read) => all.addEventListener('success', read));
    request.result.close();
    return (all.result as { fields: { content: string } }[]).map(({ fields }) => fields.content);
  });

test('text survives a lost network, a crash and an ended session', { tag: '@phone' }, async ({
  page: first,
  context,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(first, site, email);
  const headers = { Origin: site.url };
  const slug = `kept-${email.slice(4, 12)}`;
  const data = { title: 'Kept', content: 'Saved.', slug };
  await first.request.post('/api/posts', { headers, data });
  await first.goto(`/blog/editor/${slug}`);
  await expect(status(first)).toHaveText('Saved');

  await type(first, ' Stored.');
  await expect(status(first)).toContainText('Saved, not published');

  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await type(first, ' Offline.');
  await expect(status(first)).toContainText('On this device only');
  await expect(status(first)).toContainText('You are offline.');
  await expect.poll(() => textsOnDevice(first)).toContain('Saved. Stored. Offline.');
  // Never answered.
  void (await context.newCDPSession(first)).send('Page.crash').catch(() => undefined);
  await first.waitForEvent('crash');
  await first.close();
  await context.setOffline(false);

  const page = await context.newPage();
  await page.goto(`/blog/editor/${slug}`);
  await expect(page.getByText('. On this device only.')).toBeVisible();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(content(page)).toHaveValue('Saved. Stored. Offline.');
  await expect(status(page)).toContainText('Saved, not published');

  endSessions(site, email);
  pageErrors.expect(/status of 401/);
  await type(page, ' Signed out.');
  await expect(status(page)).toContainText('On this device only');
  await page.close({ runBeforeUnload: false });

  const back = await context.newPage();
  await signInAs(back, site, email);
  await back.goto(`/blog/editor/${slug}`);
  await back.getByRole('button', { name: 'Restore' }).click();
  await expect(content(back)).toHaveValue('Saved. Stored. Offline. Signed out.');
  await expect(status(back)).toContainText('Saved, not published');
  await back.getByRole('button', { name: 'Save' }).click();
  await back.waitForURL(`**/blog/${slug}`);
  await expect(back.getByText('Signed out.')).toBeVisible();

  await back.goto(`/blog/editor/${slug}`);
  await expect(status(back)).toHaveText('Saved');
  await expect(back.getByRole('button', { name: 'Restore' })).toHaveCount(0);
});

test('a new post is offered to its author only, and two tabs keep what they have', async ({
  page: first,
  context,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(first, site, email);
  await first.goto('/blog/editor');
  await expect(contentEditor(first)).toBeVisible();
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await first.getByLabel('Title').fill('Of Ann');
  await type(first, 'Typed.');
  await expect(status(first)).toContainText('On this device only');

  await test.step('leaving asks first', async () => {
    const asked = first.waitForEvent('dialog');
    const clicked = first.getByRole('link', { name: 'Back to Blog' }).click();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await clicked;
    await expect(content(first)).toHaveValue('Typed.');
    await first.close({ runBeforeUnload: false });
  });
  await context.setOffline(false);

  await test.step('another account sees nothing of it', async () => {
    const other = await context.newPage();
    await context.clearCookies();
    await signInNewUser(other, site, `other-${email}`);
    const listed = other.waitForResponse(/posts\/drafts$/);
    await other.goto('/blog/editor');
    await listed;
    await type(other, 'Of the other.');
    await expect(status(other)).toContainText('Saved, not published');
    await expect(other.getByText('Of Ann')).toHaveCount(0);
    // What is on the server may be left.
    await other.goto('/blog');
    await other.close();
  });

  await context.clearCookies();
  const page = await context.newPage();
  await signInAs(page, site, email);
  await page.goto('/blog/editor');
  await expect(page.getByText('You have an unsaved post, “Of Ann”')).toBeVisible();
  // A link, if the closing page reached the server after all.
  const restore = { name: 'Restore' };
  await page.getByRole('button', restore).or(page.getByRole('link', restore)).click();
  await expect(page.getByLabel('Title')).toHaveValue('Of Ann');
  await expect(status(page)).toContainText('Saved, not published');

  const second = await context.newPage();
  await test.step('a second tab continues it from the server, and the first does not overwrite it', async () => {
    await second.goto('/blog/editor');
    await second.getByRole('link', { name: 'Restore' }).click();
    await second.waitForURL(/editor\/[-0-9a-f]{36}$/);
    await type(second, ' Second tab.');
    await expect(status(second)).toContainText('Saved, not published');

    pageErrors.expect(/status of 409/);
    await type(page, ' First tab.');
    await expect(status(page)).toContainText('On this device only');
    await expect(page.getByRole('link', { name: 'Restore' })).toBeVisible();
  });

  await test.step('discarded there, the text of the first tab is stored', async () => {
    await second.close();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(status(page)).toContainText('Saved, not published');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/blog/of-ann');
    await expect(page.getByText('Typed. First tab.')).toBeVisible();
  });

  const drafts = await page.request.get('/api/posts/drafts');
  expect(await drafts.json()).toEqual({ drafts: [] });
  await expect.poll(() => textsOnDevice(page)).toEqual([]);
});
