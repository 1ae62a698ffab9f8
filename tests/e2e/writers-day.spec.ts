import { day } from '@app/contract/durations';
import sharp from 'sharp';
import { addUser, password, signInNewStaff } from '../support/account.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { expectToFit } from '../support/layout.ts';
import {
  contentEditor,
  contentField,
  editorStatus,
  isBesideText,
  previewOf,
  saveButton,
  typeAtEnd,
} from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';
import { textsOnDevice } from '../support/texts-on-device.ts';

const pictures = /!\[The main valve\]\(\/pictures\/[^)]+\)\s+!\[An open tap\]\(\/pictures\/[^)]+\)/;

test('a writer’s day', { tag: ['@phone', '@desktop-full'] }, async ({
  page: morning,
  context,
  site,
  email,
  newVisitor,
  pageErrors,
}) => {
  const own = email.slice(4, 12);
  const title = `Burst pipes ${own}`;
  const slug = `burst-pipes-${own}`;
  const reader = await newVisitor();
  const readersStatus = async (path: string) => (await reader.request.get(path)).status();

  await test.step('signs in and writes', async () => {
    await addUser(site, email);
    await morning.goto('/auth');
    const panel = morning.getByRole('tabpanel', { name: 'Sign In' });
    await panel.getByLabel('Email').fill(email);
    await panel.getByLabel('Password').fill(password);
    await pressHydrated(panel.getByRole('button', { name: 'Sign In', exact: true }));
    await morning.waitForURL('/blog');
    await morning.getByRole('link', { name: 'New Post' }).click();
    await morning.getByLabel('Title').fill(title);
    await expect(morning.getByLabel('URL Slug')).toHaveValue(slug);
    await typeAtEnd(morning, '## First\n\nTurn the **water** off.');
    await expect(editorStatus(morning)).toContainText('Saved, not published');
    await expectToFit(morning);
  });

  await test.step('adds pictures', async () => {
    const file = async (name: string, background: string) => ({
      name,
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 600, height: 400, channels: 3, background } })
        .png()
        .toBuffer(),
    });
    await morning.getByRole('button', { name: 'Picture', exact: true }).click();
    await morning
      .getByRole('dialog', { name: 'Add a picture' })
      .getByLabel('Pictures from this device')
      .setInputFiles([await file('valve.png', '#0f5140'), await file('tap.png', '#f0a431')]);
    const rows = morning
      .getByRole('list', { name: 'Pictures that you are adding' })
      .getByRole('listitem');
    for (const description of ['The main valve', 'An open tap']) {
      await rows.first().getByLabel('Description').fill(description);
      await rows.first().getByRole('button', { name: /^Done/ }).click();
    }
    await expect(rows).toHaveCount(0);
    await expect(contentField(morning)).toHaveValue(pictures);
    await expect(editorStatus(morning)).toContainText('Saved, not published');
  });

  await test.step('loses the network, and the tab crashes', async () => {
    pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
    await context.setOffline(true);
    await typeAtEnd(morning, '\n\nOpen all taps.');
    await expect(editorStatus(morning)).toContainText('On this device only');
    // The status can still be that of the earlier text.
    await expect
      .poll(async () => (await textsOnDevice(morning)).join())
      .toMatch(/Open all taps\.$/);
    // This command is never answered.
    void (await context.newCDPSession(morning)).send('Page.crash').catch(() => undefined);
    await morning.waitForEvent('crash');
    await morning.close();
    await context.setOffline(false);
  });

  const page = await context.newPage();
  await test.step('comes back to the whole text and looks at the preview', async () => {
    await page.goto('/blog/editor');
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(contentField(page)).toHaveValue(/^## First\n\nTurn the \*\*water\*\* off\./);
    await expect(contentField(page)).toHaveValue(pictures);
    await expect(contentField(page)).toHaveValue(/Open all taps\.$/);
    if (!isBesideText(page)) await page.getByRole('tab', { name: 'Preview' }).click();
    await expect(previewOf(page).getByText('Open all taps.')).toBeVisible();
    await expect(previewOf(page).locator('.post-body strong')).toHaveText('water');
    await expect(previewOf(page).getByAltText('The main valve')).toBeVisible();
    await expectToFit(page);
  });

  await test.step('shares the draft with someone who has no account', async () => {
    if (!isBesideText(page)) await page.getByRole('tab', { name: 'Edit' }).click();
    await saveButton(page).click();
    await page.waitForURL(`/blog/${slug}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    const share = page.getByRole('region', { name: 'Share the draft' });
    await share.getByRole('button', { name: 'Create link' }).click();
    const url = await share.getByRole('textbox', { name: 'Link' }).inputValue();
    await reader.goto(url);
    await expect(reader.getByRole('note')).toContainText('This is a draft');
    await expect(reader.getByText('Open all taps.')).toBeVisible();
    await expectToFit(reader);
    expect(await readersStatus(`/blog/${slug}`)).toBe(404);
  });

  await test.step('schedules it, and publishes it earlier', async () => {
    const date = new Date(Date.now() + 3 * day).toISOString().slice(0, 10);
    await contentEditor(page).waitFor();
    await page.getByLabel(/^Publish at/).fill(`${date}T09:00`);
    await saveButton(page).click();
    await page.waitForURL(`/blog/${slug}`);
    await expect(page.locator('article .post-status')).toContainText('Scheduled for');
    expect(await readersStatus(`/blog/${slug}`)).toBe(404);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(page.getByText('Post published')).toBeVisible();
    await reader.goto('/blog');
    await reader.getByRole('link', { name: title }).click();
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText(title);
    for (const description of ['The main valve', 'An open tap']) {
      const picture = reader.getByAltText(description);
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.currentSrc))
        .toMatch(/\.avif$/);
    }
    await expectToFit(reader);
  });

  await test.step('renames it', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await contentEditor(page).waitFor();
    await page.getByLabel('URL Slug').fill(`${slug}-first-aid`);
    await saveButton(page).click();
    await page.waitForURL(`/blog/${slug}-first-aid`);
    await reader.goto(`/blog/${slug}`);
    await expect(reader).toHaveURL(`/blog/${slug}-first-aid`);
  });

  const path = `/blog/${slug}-first-aid`;
  await test.step('edits it while a colleague does, and both changes are kept', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await contentEditor(page).waitFor();
    const colleague = await newVisitor();
    await signInNewStaff(colleague, site, `colleague-${email}`);
    await colleague.goto(`/blog/editor/${slug}-first-aid`);
    await contentEditor(colleague).click();
    await colleague.keyboard.press('ControlOrMeta+Home');
    await colleague.keyboard.insertText('Keep calm.\n\n');
    await saveButton(colleague).click();
    await colleague.waitForURL(path);

    await typeAtEnd(page, '\n\nCall us.');
    await saveButton(page).click();
    await page.waitForURL(path);
    for (const words of ['Keep calm.', 'Open all taps.', 'Call us.']) {
      await expect(page.getByText(words)).toBeVisible();
    }
  });

  await test.step('restores the first version', async () => {
    await page.goto(`/blog/editor/${slug}-first-aid`);
    await page.getByRole('link', { name: 'History' }).click();
    const versions = page.getByRole('region', { name: 'Versions' }).getByRole('listitem');
    await versions.last().getByRole('link').click();
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await expect(page.getByText('This version was restored')).toBeVisible();
    await expectToFit(page);
    await reader.goto(path);
    await expect(reader.getByText('Open all taps.')).toBeVisible();
    await expect(reader.getByText('Call us.')).toHaveCount(0);
  });

  await test.step('unpublishes it, deletes it, and thinks again', async () => {
    await page.goto(path);
    await page.getByRole('button', { name: 'Unpublish' }).click();
    await expect(page.getByText('Post unpublished')).toBeVisible();
    await expect.poll(() => readersStatus(path)).toBe(404);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete post' }).click();
    await page.waitForURL('/blog');
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await expect(page.locator('.toast')).toContainText('Post restored');
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByText('Draft', { exact: true })).toBeVisible();
  });
});
