import type { Page } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { expectToFit } from '../support/layout.ts';
import {
  holdUploads,
  pictureFile,
  pictureInput,
  picturePath,
  storePicture,
  uploadList,
} from '../support/pictures.ts';
import { contentEditor, contentField, openNewPost, saveButton } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

// Without transitions, axe sees the final colors.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add a picture' });
const coverDialog = (page: Page) => page.getByRole('dialog', { name: 'Choose a cover' });

test('pictures from the library can be added to the text and chosen as the cover', {
  tag: '@phone-full',
}, async ({ page, site, email }) => {
  test.slow();
  await signInNewUser(page, site, email);
  const stored = await storePicture(page, site.url, 'A red valve');
  await storePicture(page, site.url, '', 41);
  await openNewPost(page);
  // On touch screens, the toolbar is shown while the text has the focus.
  await contentEditor(page).click();
  await page.getByRole('button', { name: 'Picture', exact: true }).click();
  const inText = dialog(page);
  await expect(inText.getByRole('button', { name: 'A red valve' })).toBeVisible();
  await expect(inText.getByRole('button', { name: /^No description/ })).toBeVisible();
  expect(await findingsInFullRun(page, 'the dialog')).toEqual([]);
  await expectToFit(page);
  await inText.getByLabel('Search descriptions').fill('VALVE');
  await expect(inText.getByRole('button', { name: /^No description/ })).toHaveCount(0);
  await inText.getByLabel('Search descriptions').fill('pump');
  await expect(inText.getByText('No pictures match “pump”.')).toBeVisible();
  await inText.getByLabel('Search descriptions').fill('');
  await inText.getByRole('button', { name: 'A red valve' }).click();
  await expect(inText).toBeHidden();
  await expect(contentField(page)).toHaveValue(`![A red valve](${stored})\n\n`);
  await expect(uploadList(page).getByLabel('Description')).toHaveValue('A red valve');

  const cover = page.getByLabel('Cover Image URL');
  await page.getByRole('button', { name: 'Choose a picture' }).click();
  await coverDialog(page).getByRole('button', { name: 'A red valve' }).click();
  await expect(coverDialog(page)).toBeHidden();
  await expect(cover).toHaveValue(stored);

  await page.getByRole('button', { name: 'Choose a picture' }).click();
  await coverDialog(page)
    .getByLabel(pictureInput)
    .setInputFiles(await pictureFile('cover.png', 50));
  await expect(cover).toHaveValue(new RegExp(`^${picturePath('50x20')}$`));
  await expect(coverDialog(page)).toBeHidden();
  const slug = `covered-${email.slice(4, 12)}`;
  await page.getByLabel('Title').fill('Covered');
  await page.getByLabel('URL Slug').fill(slug);
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);
  await expect(page.locator('.cover-frame img')).toHaveAttribute(
    'src',
    new RegExp(picturePath('50x20')),
  );
});

test('the dialogs focus the file input, and closing the one for the cover cancels its upload', {
  tag: '@full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  await contentEditor(page).click();
  await page.getByRole('button', { name: 'Picture', exact: true }).click();
  await expect(dialog(page).getByLabel(pictureInput)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(contentEditor(page)).toBeFocused();

  const release = await holdUploads(page);
  const sent = page.waitForRequest('**/api/posts/pictures');
  const canceled = page.waitForEvent('requestfailed');
  await page.getByRole('button', { name: 'Choose a picture' }).click();
  await expect(coverDialog(page).getByLabel(pictureInput)).toBeFocused();
  await coverDialog(page)
    .getByLabel(pictureInput)
    .setInputFiles(await pictureFile('cover.png', 50));
  await sent;
  await page.keyboard.press('Escape');
  expect((await canceled).url()).toContain('/api/posts/pictures');
  release();
  await page.getByRole('button', { name: 'Choose a picture' }).click();
  await expect(coverDialog(page)).toBeVisible();
  await expect(uploadList(page)).toHaveCount(0);
  await expect(page.getByLabel('Cover Image URL')).toHaveValue('');
});

test('Ctrl+S in a dialog saves nothing', { tag: '@full' }, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  await page.getByRole('button', { name: 'Picture', exact: true }).click();
  await dialog(page).getByLabel('Search descriptions').fill('valve');
  await page.keyboard.press('ControlOrMeta+s');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByText('No pictures match “valve”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Title is required')).toHaveCount(0);
});
