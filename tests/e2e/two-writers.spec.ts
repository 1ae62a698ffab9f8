import { hour } from '@app/contract/durations';
import type { Page } from 'playwright/test';
import { signInNewStaff, signInNewUser } from '../support/account.ts';
import { contentEditor, contentField, editorStatus, saveButton } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

test('writers who change the same line choose from both texts', { tag: '@phone-full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  const slug = `shared-${email.slice(4, 12)}`;
  const headers = { Origin: site.url };
  const data = { title: 'Shared', content: 'First.\n\nSecond.', slug };
  const created = await page.request.post('/api/posts', { headers, data });
  const { post } = (await created.json()) as { post: { id: string } };
  await page.goto(`/blog/editor/${slug}`);
  const content = contentField(page);
  await contentEditor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('First.\n\nYours.');
  await expect(content).toHaveValue('First.\n\nYours.');
  await page.request.patch(`/api/posts/${post.id}`, {
    headers,
    data: { content: 'First.\n\nTheirs.' },
  });

  const time = page.getByLabel('Publish at');
  const inThreeDays = new Date(Date.now() + 72 * hour).toISOString().slice(0, 10);
  await time.fill(`${inThreeDays}T09:00`);

  pageErrors.expect(/status of 409/);
  await saveButton(page).click();
  const choice = page.getByRole('group', { name: 'Content' });
  await expect(choice.getByLabel('Yours')).toBeChecked();
  await expect(choice.getByText('Theirs.')).toBeVisible();
  await choice.getByLabel('Yours').focus();
  // By keyboard: yours, theirs, both.
  await page.keyboard.press('ArrowUp');
  await expect(choice.getByLabel('Both, one after the other')).toBeChecked();
  await page.getByRole('button', { name: 'Use these' }).click();
  await expect(content).toHaveValue('First.\n\nTheirs.\nYours.');
  await expect(time).toHaveValue(`${inThreeDays}T09:00`);

  await expect(contentEditor(page)).toContainText('Theirs.');
  await saveButton(page).click();
  await page.waitForURL(`**/blog/${slug}`);
  await expect(page.getByText('Yours.')).toBeVisible();
  await expect(page.locator('article .post-status')).toHaveText(/Scheduled for .* 9:00.AM/);
});

test('a conflict with restored text is shown, and so is the next one', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  const slug = `again-${email.slice(4, 12)}`;
  const headers = { Origin: site.url };
  const data = { title: 'Again', content: 'First.', slug };
  const created = await page.request.post('/api/posts', { headers, data });
  const { post } = (await created.json()) as { post: { id: string } };
  const changeElsewhere = (content: string) =>
    page.request.patch(`/api/posts/${post.id}`, { headers, data: { content } });
  const choice = page.getByRole('group', { name: 'Content' });

  await page.goto(`/blog/editor/${slug}`);
  await contentEditor(page).fill('Yours.');
  await expect(editorStatus(page)).toContainText('Saved, not published');
  await page.reload();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(contentEditor(page)).toHaveText('Yours.');
  pageErrors.expect(/status of 409/);
  for (const theirs of ['Theirs.', 'Theirs again.']) {
    await changeElsewhere(theirs);
    await saveButton(page).click();
    await expect(choice.getByText(theirs)).toBeVisible();
    await expect(contentEditor(page)).toHaveText('Yours.');
  }
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);
  await expect(page.getByText('Yours.')).toBeVisible();
});

test('two writers see who else has the post open', { tag: '@full' }, async ({
  page,
  site,
  email,
  newVisitor,
  pageErrors,
}) => {
  const slug = `open-${email.slice(4, 12)}`;
  const headers = { Origin: site.url };
  const setName = (visitor: Page, fullName: string) =>
    visitor.request.patch('/api/profile', { headers, data: { fullName } });
  /** Makes the page ask again, as it does every 15 seconds. */
  const ask = async () => {
    const asked = page.waitForResponse('**/api/posts/presence');
    await page.clock.fastForward(15_000);
    await asked;
  };

  await signInNewUser(page, site, email);
  await setName(page, 'Ann Able');
  const data = { title: 'Open', content: 'Text.', slug, published: true };
  await page.request.post('/api/posts', { headers, data });
  // The preview's frame blocks Playwright's script for the clock.
  pageErrors.expect(/Blocked script execution/);
  await page.clock.install();
  const alone = page.waitForResponse('**/api/posts/presence');
  await page.goto(`/blog/editor/${slug}`);
  expect(await (await alone).json()).toEqual({ others: [] });

  const other = await newVisitor();
  await signInNewStaff(other, site, `other-${email}`);
  // A writer who has not asked for 30 seconds is forgotten, even if only the machine stalls.
  const meetsAnn = () =>
    expect(async () => {
      await ask();
      const answered = other.waitForResponse(
        (response) =>
          response.url().endsWith('/presence') && !response.request().postDataJSON().isLeaving,
      );
      await other.goto(`/blog/editor/${slug}`);
      expect(await (await answered).json()).toEqual({ others: ['Ann Able'] });
    }).toPass();
  const expectMessage = (text: string) =>
    expect(async () => {
      await ask();
      await expect(page.getByText(text)).toBeVisible({ timeout: 500 });
    }).toPass();
  await meetsAnn();
  await expect(other.getByText('Ann Able also has this post open.')).toBeVisible();
  await expectMessage(`Person other-${email.split('@')[0]} also has this post open.`);
  await setName(other, 'Bob Baker');
  await meetsAnn();
  await expectMessage('Bob Baker also has this post open.');

  await other.goto('/blog');
  await expect(async () => {
    await ask();
    await expect(page.getByText('Bob Baker')).toBeHidden({ timeout: 500 });
  }).toPass();
});
