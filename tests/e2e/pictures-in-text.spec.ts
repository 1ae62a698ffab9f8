import type { Locator, Page } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { expectToFit } from '../support/layout.ts';
import {
  holdUploads,
  pictureFile,
  pictureInput,
  picturePath,
  png,
  uploadList,
} from '../support/pictures.ts';
import { contentEditor, contentField, openNewPost, saveButton } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

// Without transitions, axe sees the final colors.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add a picture' });

/** Pastes or drops pictures. @param at the line to drop them on; without it, they are pasted */
async function addPictures(page: Page, names: readonly string[], at?: string): Promise<void> {
  const files = await Promise.all(
    names.map(async (name, index) => ({
      name,
      type: name.endsWith('.png') ? 'image/png' : 'text/plain',
      base64: (await png(30 + index)).toString('base64'),
    })),
  );
  await contentEditor(page).evaluate(
    (element, [sent, line]) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of sent) {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      if (line === undefined) {
        element.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
        return;
      }
      const target = [...element.querySelectorAll('.cm-line')].find(
        ({ textContent }) => textContent === line,
      );
      if (!target) throw new Error(`There is no line ${line}`);
      target.scrollIntoView({ block: 'center' });
      const range = document.createRange();
      range.selectNodeContents(target);
      const { right, top, height } = range.getBoundingClientRect();
      const init = { clientX: right - 2, clientY: top + height / 2 };
      target.dispatchEvent(
        new DragEvent('drop', { ...init, dataTransfer: data, bubbles: true, cancelable: true }),
      );
    },
    [files, at] as const,
  );
}

test('a pasted picture keeps its place during typing, and can be described and undone', {
  tag: '@phone-full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  await contentEditor(page).click();
  await page.keyboard.type('Before\n\n');
  const release = await holdUploads(page);
  await addPictures(page, ['valve.png']);
  await expect(contentEditor(page)).toContainText('Uploading valve.png');
  const row = uploadList(page).getByRole('listitem');
  await expect(row.getByRole('progressbar', { name: 'Upload of valve.png' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Uploading 1 picture' })).toBeAttached();
  await page.keyboard.type('After');
  await expect(contentField(page)).toHaveValue('Before\n\nAfter');
  expect(await findingsInFullRun(page, 'uploading')).toEqual([]);
  await expectToFit(page);

  await page.getByLabel('Title').fill('With a picture');
  await saveButton(page).click();
  await expect(page.getByText('Pictures are still being uploaded.')).toBeVisible();

  release();
  await expect(contentField(page)).toHaveValue(
    new RegExp(String.raw`^Before\n\n!\[\]\(${picturePath('30x20')}\)\n\nAfter$`),
  );
  await expect(
    page.getByRole('status').filter({ hasText: 'valve.png is in the text' }),
  ).toBeAttached();
  const alt = row.getByLabel('Description');
  await expect(alt).toHaveAccessibleDescription(/screen readers skip the picture as decoration/);
  expect(await findingsInFullRun(page, 'describing')).toEqual([]);
  await expectToFit(page);
  await alt.fill('A [red] valve');
  await row.getByLabel('Caption').fill('The "old" one');
  await row.getByLabel('Caption').press('Enter');
  const described = String.raw`!\[A \\\[red\\\] valve\]\(${picturePath('30x20')} "The \\"old\\" one"\)`;
  await expect(contentField(page)).toHaveValue(new RegExp(`^Before\n\n${described}\n\nAfter$`));
  await expect(uploadList(page)).toBeHidden();
  await expect
    .poll(async () => (await (await page.request.get('/api/posts/pictures')).json()).pictures)
    .toMatchObject([{ alt: 'A [red] valve' }]);

  await contentEditor(page).focus();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(contentField(page)).toHaveValue(/!\[\]/);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(contentField(page)).toHaveValue('Before\n\nAfter');
  await page.keyboard.press('ControlOrMeta+y');
  await page.keyboard.press('ControlOrMeta+y');
  await saveButton(page).click();
  await page.waitForURL('/blog/with-a-picture');
  await expect(page.getByRole('figure').getByRole('img')).toHaveAttribute('alt', 'A [red] valve');
  await expect(page.getByRole('figure')).toContainText('The "old" one');
});

test('dropped pictures are inserted below the line, in order', {
  tag: ['@full', '@phone'],
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  await contentEditor(page).click();
  await page.keyboard.type('First line\n\nSecond line');
  await addPictures(page, ['one.png', 'two.png', 'three.png'], 'First line');
  const picture = (width: number) => String.raw`!\[\]\(${picturePath(`${width}x20`)}\)`;
  await expect(contentField(page)).toHaveValue(
    new RegExp(`^First line\n\n${picture(30)}\n\n${picture(31)}\n\n${picture(32)}\n\nSecond line$`),
  );
  const rows = uploadList(page).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await rows.nth(1).getByLabel('Description').fill('The second');
  await rows.nth(1).getByRole('button', { name: 'Done with two.png' }).click();
  await expect(contentField(page)).toHaveValue(
    new RegExp(String.raw`!\[The second\]\(${picturePath('31x20')}\)`),
  );
  await expect(rows).toHaveCount(2);
});

test('copied text that comes with an image is pasted as text', {
  tag: '@full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  await contentEditor(page).evaluate((element) => {
    const data = new DataTransfer();
    data.setData('text/html', '<p>Words</p>');
    data.setData('text/plain', 'Words');
    data.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await expect(contentField(page)).toHaveValue('Words');
  await expect(uploadList(page)).toBeHidden();
});

test('uploads can be canceled and retried, and a refused one shows the reason', {
  tag: '@phone-full',
}, async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  const release = await holdUploads(page);
  // On touch screens, the toolbar is shown while the text has the focus.
  await contentEditor(page).click();
  await page.getByRole('button', { name: 'Picture', exact: true }).click();
  await dialog(page)
    .getByLabel(pictureInput)
    .setInputFiles([
      await pictureFile('canceled.png', 20),
      { name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('text') },
      { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5_242_881) },
    ]);
  await expect(dialog(page)).toBeHidden();
  const row = (name: string) => uploadList(page).getByRole('listitem').filter({ hasText: name });
  await expect(row('large.png')).toContainText('The image is larger than 5 MB.');
  await expect(row('large.png').getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await expect(row('text.png')).toContainText('Waiting');
  await row('canceled.png').getByRole('button', { name: 'Cancel canceled.png' }).click();
  await expect(row('canceled.png')).toHaveCount(0);
  pageErrors.expect(/status of 422/, '/api/posts/pictures');
  release();
  await expect(row('text.png')).toContainText("We couldn't read this image.");
  await expect(contentEditor(page)).not.toContainText('Uploading');
  expect(await findingsInFullRun(page, 'refused')).toEqual([]);
  await expectToFit(page);
  await row('text.png').getByRole('button', { name: 'Dismiss text.png' }).click();
  await row('large.png').getByRole('button', { name: 'Dismiss large.png' }).click();
  await expect(contentField(page)).toHaveValue('');

  pageErrors.expect(/ERR_FAILED/, '/api/posts/pictures');
  await page.unrouteAll();
  await page.route('**/api/posts/pictures', (route) => route.abort('failed'), { times: 1 });
  await addPictures(page, ['again.png']);
  await expect(row('again.png')).toContainText("We couldn't reach the server.");
  await row('again.png').getByRole('button', { name: 'Try again: again.png' }).click();
  await expect(contentField(page)).toHaveValue(new RegExp(picturePath('30x20')));
});

test('the text and the form stay if the script for pictures cannot be loaded', {
  tag: ['@full', '@phone'],
}, async ({ page, site, email, pageErrors }) => {
  pageErrors.expect(/ERR_FAILED|Failed to fetch dynamically imported module/);
  await signInNewUser(page, site, email);
  await openNewPost(page);
  await page.route(/TextPictures[^/]*\.js/, (route) => route.abort('failed'));
  await contentEditor(page).click();
  await page.keyboard.type('Text');
  await addPictures(page, ['valve.png']);
  const problem = page.getByRole('alert');
  await expect(problem).toContainText('could not be loaded');
  await expect(problem).toBeInViewport({ ratio: 1 });
  await expect(contentEditor(page)).toHaveText('Text');
});

for (const [how, save] of [
  ['the button', (page: Page) => saveButton(page).click()],
  ['Ctrl+S', (page: Page) => page.keyboard.press('ControlOrMeta+s')],
] as const) {
  test(`a description is saved with ${how}, without Done`, { tag: '@full' }, async ({
    page,
    site,
    email,
  }) => {
    await signInNewUser(page, site, email);
    await openNewPost(page);
    const slug = `described-${email.slice(4, 12)}`;
    await page.getByLabel('Title').fill('Described');
    await page.getByLabel('URL Slug').fill(slug);
    await contentEditor(page).click();
    await addPictures(page, ['valve.png']);
    await uploadList(page).getByLabel('Description').fill('A valve');
    await uploadList(page).getByLabel('Caption').fill('The old one');
    await save(page);
    await page.waitForURL(`/blog/${slug}`);
    await expect(page.getByRole('figure').getByAltText('A valve')).toBeAttached();
    await expect(page.getByRole('figure')).toContainText('The old one');
  });
}

test('the panel of uploads is below the toolbar, and above a keyboard', {
  tag: ['@full', '@phone'],
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  await contentEditor(page).fill('A line.\n'.repeat(40));
  await addPictures(page, ['valve.png']);
  // The panel, which scrolls the list.
  const panel = uploadList(page).locator('..');
  await panel.getByLabel('Description').waitFor();
  const edges = async (element: Locator) => {
    const { y = 0, height = 0 } = (await element.boundingBox()) ?? {};
    return { top: y, bottom: y + height };
  };

  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 420 });
  const isTouch = await page.evaluate(() => matchMedia('(pointer: coarse)').matches);
  // Scrolls until the top of the text is at the lower edge of the window.
  await page.getByLabel('Tags').evaluate((tags) => tags.scrollIntoView({ block: 'center' }));
  const bar = page.getByRole('toolbar', { name: 'Formatting' });
  if (!isTouch) expect((await edges(panel)).top).toBeGreaterThanOrEqual((await edges(bar)).bottom);

  await contentEditor(page).evaluate((text) => text.scrollIntoView({ block: 'start' }));
  await page.evaluate(() => {
    const covered = { height: 300, offsetTop: 0 };
    for (const [name, value] of Object.entries(covered)) {
      Object.defineProperty(window.visualViewport, name, { value, configurable: true });
    }
    window.visualViewport?.dispatchEvent(new Event('resize'));
  });
  await expect.poll(async () => (await edges(panel)).bottom).toBeLessThanOrEqual(300);
});

test('a portrait picture fits on the screen, and nothing moves when it loads', {
  tag: ['@full', '@phone'],
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const headers = { Origin: site.url };
  const file = { ...(await pictureFile('ladder.png', 1)), buffer: await png(600, 1_600) };
  const stored = await page.request.post('/api/posts/pictures', {
    headers,
    multipart: { alt: 'A ladder', file },
  });
  const { path } = (await stored.json()) as { path: string };
  const slug = `portrait-${email.slice(4, 12)}`;
  const content = `![A ladder](${path})\n\nBelow.`;
  await page.request.post('/api/posts', { headers, data: { title: 'Portrait', slug, content } });
  const held = Promise.withResolvers<void>();
  await page.route('/pictures/**', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`/blog/${slug}`, { waitUntil: 'domcontentloaded' });
  const picture = page.getByRole('img', { name: 'A ladder' });
  const places = () =>
    Promise.all([picture, page.getByText('Below.')].map((one) => one.boundingBox()));
  await page.evaluate(() => document.fonts.ready);
  await picture.scrollIntoViewIfNeeded();
  const before = await places();
  held.resolve();
  await expect(picture).toHaveJSProperty('complete', true);
  await expect(picture).not.toHaveJSProperty('naturalWidth', 0);
  expect(await places()).toEqual(before);
  expect(before[0]?.height).toBeLessThan(page.viewportSize()?.height ?? 0);
});
