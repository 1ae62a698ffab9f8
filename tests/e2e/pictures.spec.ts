import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { signInNewUser } from '../support/account.ts';
import { findingsInBothThemes } from '../support/axe.ts';
import { contentEditor } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

// Without transitions axe sees final colors.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const field = (page: Page) => page.locator('textarea[name=content]');
const uploads = (page: Page) => page.getByRole('list', { name: 'Pictures that you are adding' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add a picture' });
const coverDialog = (page: Page) => page.getByRole('dialog', { name: 'Choose a cover' });
const picker = 'Pictures from this device';

const path = (size: string) => String.raw`/pictures/[\da-f]{24}/${size}\.webp`;

const png = (width: number, height = 20) =>
  sharp({ create: { width, height, channels: 3, background: '#0f5140' } })
    .png()
    .toBuffer();

const file = async (name: string, width: number) => ({
  name,
  mimeType: 'image/png',
  buffer: await png(width),
});

async function openEditor(page: Page): Promise<void> {
  await page.goto('/blog/editor');
  await expect(contentEditor(page)).toBeVisible();
}

/** Dispatched like a browser would. @param at a text to drop it on; without it, pasted */
async function give(page: Page, names: readonly string[], at?: string): Promise<void> {
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

/** Until the test releases them. */
async function holdUploads(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/api/posts/pictures', async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const width = () => document.documentElement.scrollWidth - innerWidth;
  expect(await page.evaluate(width)).toBeLessThanOrEqual(0);
}

async function store(page: Page, url: string, alt: string, width = 40): Promise<string> {
  const reply = await page.request.post('/api/posts/pictures', {
    headers: { Origin: url },
    multipart: { alt, file: await file('picture.png', width) },
  });
  expect(reply.status()).toBe(201);
  return (await reply.json()).path;
}

test('a pasted picture keeps its place while one types, is described, and is undone', {
  tag: '@phone',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openEditor(page);
  await contentEditor(page).click();
  await page.keyboard.type('Before\n\n');
  const release = await holdUploads(page);
  await give(page, ['valve.png']);
  await expect(contentEditor(page)).toContainText('Uploading valve.png');
  const row = uploads(page).getByRole('listitem');
  await expect(row.getByRole('progressbar', { name: 'Upload of valve.png' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Uploading 1 picture' })).toBeAttached();
  await page.keyboard.type('After');
  await expect(field(page)).toHaveValue('Before\n\nAfter');
  expect(await findingsInBothThemes(page, 'uploading')).toEqual([]);
  await expectNoSidewaysScroll(page);

  await page.getByLabel('Title').fill('With a picture');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Pictures are still being uploaded.')).toBeVisible();

  release();
  await expect(field(page)).toHaveValue(
    new RegExp(String.raw`^Before\n\n!\[\]\(${path('30x20')}\)\n\nAfter$`),
  );
  await expect(
    page.getByRole('status').filter({ hasText: 'valve.png is in the text' }),
  ).toBeAttached();
  const alt = row.getByLabel('Description');
  await expect(alt).toHaveAccessibleDescription(/screen readers skip the picture, as decoration/);
  expect(await findingsInBothThemes(page, 'describing')).toEqual([]);
  await expectNoSidewaysScroll(page);
  await alt.fill('A [red] valve');
  await row.getByLabel('Caption').fill('The "old" one');
  await row.getByLabel('Caption').press('Enter');
  const described = String.raw`!\[A \\\[red\\\] valve\]\(${path('30x20')} "The \\"old\\" one"\)`;
  await expect(field(page)).toHaveValue(new RegExp(`^Before\n\n${described}\n\nAfter$`));
  await expect(uploads(page)).toBeHidden();
  await expect
    .poll(async () => (await (await page.request.get('/api/posts/pictures')).json()).pictures)
    .toMatchObject([{ alt: 'A [red] valve' }]);

  await contentEditor(page).focus();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(field(page)).toHaveValue(/!\[\]/);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(field(page)).toHaveValue('Before\n\nAfter');
  await page.keyboard.press('ControlOrMeta+y');
  await page.keyboard.press('ControlOrMeta+y');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('/blog/with-a-picture');
  await expect(page.getByRole('figure').getByRole('img')).toHaveAttribute('alt', 'A [red] valve');
  await expect(page.getByRole('figure')).toContainText('The "old" one');
});

test('dropped pictures come below the line, in their order', { tag: '@phone' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await openEditor(page);
  await contentEditor(page).click();
  await page.keyboard.type('First line\n\nSecond line');
  await give(page, ['one.png', 'two.png', 'three.png'], 'First line');
  const picture = (width: number) => String.raw`!\[\]\(${path(`${width}x20`)}\)`;
  await expect(field(page)).toHaveValue(
    new RegExp(`^First line\n\n${picture(30)}\n\n${picture(31)}\n\n${picture(32)}\n\nSecond line$`),
  );
  const rows = uploads(page).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await rows.nth(1).getByLabel('Description').fill('The second');
  await rows.nth(1).getByRole('button', { name: 'Done with two.png' }).click();
  await expect(field(page)).toHaveValue(
    new RegExp(String.raw`!\[The second\]\(${path('31x20')}\)`),
  );
  await expect(rows).toHaveCount(2);
});

test('a copied text stays text, and dropped files without a picture are left to the editor', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await openEditor(page);
  await contentEditor(page).evaluate((element) => {
    const data = new DataTransfer();
    data.setData('text/html', '<p>Words</p>');
    data.setData('text/plain', 'Words');
    data.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await expect(field(page)).toHaveValue('Words');
  await expect(uploads(page)).toBeHidden();
});

test('uploads are canceled, refused with the reason, and sent again', { tag: '@phone' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  await openEditor(page);
  const release = await holdUploads(page);
  // On touch screens the toolbar is there while the text has the focus.
  await contentEditor(page).click();
  await page.getByRole('button', { name: 'Picture', exact: true }).click();
  await dialog(page)
    .getByLabel(picker)
    .setInputFiles([
      await file('canceled.png', 20),
      { name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('text') },
      { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5_242_881) },
    ]);
  await expect(dialog(page)).toBeHidden();
  const row = (name: string) => uploads(page).getByRole('listitem').filter({ hasText: name });
  await expect(row('large.png')).toContainText('The image is larger than 5 MB.');
  await expect(row('large.png').getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await expect(row('text.png')).toContainText('Waiting');
  await row('canceled.png').getByRole('button', { name: 'Cancel canceled.png' }).click();
  await expect(row('canceled.png')).toHaveCount(0);
  pageErrors.expect(/status of 422/, '/api/posts/pictures');
  release();
  await expect(row('text.png')).toContainText("We couldn't read this image.");
  await expect(contentEditor(page)).not.toContainText('Uploading');
  expect(await findingsInBothThemes(page, 'refused')).toEqual([]);
  await expectNoSidewaysScroll(page);
  await row('text.png').getByRole('button', { name: 'Dismiss text.png' }).click();
  await row('large.png').getByRole('button', { name: 'Dismiss large.png' }).click();
  await expect(field(page)).toHaveValue('');

  pageErrors.expect(/ERR_FAILED/, '/api/posts/pictures');
  await page.unrouteAll();
  await page.route('**/api/posts/pictures', (route) => route.abort('failed'), { times: 1 });
  await give(page, ['again.png']);
  await expect(row('again.png')).toContainText("We couldn't reach the server.");
  await row('again.png').getByRole('button', { name: 'Try again: again.png' }).click();
  await expect(field(page)).toHaveValue(new RegExp(path('30x20')));
});

test('pictures of the library go into the text and onto the cover', { tag: '@phone' }, async ({
  page,
  site,
  email,
}) => {
  test.slow();
  await signInNewUser(page, site, email);
  const stored = await store(page, site.url, 'A red valve');
  await store(page, site.url, '', 41);
  await openEditor(page);
  // On touch screens the toolbar is there while the text has the focus.
  await contentEditor(page).click();
  await page.getByRole('button', { name: 'Picture', exact: true }).click();
  const inText = dialog(page);
  await expect(inText.getByRole('button', { name: 'A red valve' })).toBeVisible();
  await expect(inText.getByRole('button', { name: /^No description/ })).toBeVisible();
  expect(await findingsInBothThemes(page, 'the dialog')).toEqual([]);
  await expectNoSidewaysScroll(page);
  await inText.getByLabel('Search descriptions').fill('VALVE');
  await expect(inText.getByRole('button', { name: /^No description/ })).toHaveCount(0);
  await inText.getByLabel('Search descriptions').fill('pump');
  await expect(inText.getByText('No pictures match “pump”.')).toBeVisible();
  await inText.getByLabel('Search descriptions').fill('');
  await inText.getByRole('button', { name: 'A red valve' }).click();
  await expect(inText).toBeHidden();
  await expect(field(page)).toHaveValue(`![A red valve](${stored})\n\n`);
  await expect(uploads(page).getByLabel('Description')).toHaveValue('A red valve');

  const cover = page.getByLabel('Cover Image URL');
  await page.getByRole('button', { name: 'Choose a picture' }).click();
  await coverDialog(page).getByRole('button', { name: 'A red valve' }).click();
  await expect(coverDialog(page)).toBeHidden();
  await expect(cover).toHaveValue(stored);

  await page.getByRole('button', { name: 'Choose a picture' }).click();
  await coverDialog(page)
    .getByLabel(picker)
    .setInputFiles(await file('cover.png', 50));
  await expect(cover).toHaveValue(new RegExp(`^${path('50x20')}$`));
  await expect(coverDialog(page)).toBeHidden();
  const slug = `covered-${email.slice(4, 12)}`;
  await page.getByLabel('Title').fill('Covered');
  await page.getByLabel('URL Slug').fill(slug);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(`/blog/${slug}`);
  await expect(page.locator('.cover-frame img')).toHaveAttribute('src', new RegExp(path('50x20')));
});

test('without the script for pictures the text and the form stay', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_FAILED|Failed to fetch dynamically imported module/);
  await signInNewUser(page, site, email);
  await openEditor(page);
  await page.route(/TextPictures[^/]*\.js/, (route) => route.abort('failed'));
  await contentEditor(page).click();
  await page.keyboard.type('Text');
  await give(page, ['valve.png']);
  await expect(page.getByRole('alert')).toContainText('could not be loaded');
  await expect(contentEditor(page)).toHaveText('Text');
});

test('the library uploads, describes and deletes pictures', { tag: '@phone' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  test.slow();
  await signInNewUser(page, site, email);
  await page.goto('/blog');
  await page.getByRole('link', { name: 'Pictures', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pictures');
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
  await expect(page.getByText('No pictures yet')).toBeVisible();
  expect(await findingsInBothThemes(page, 'the empty library')).toEqual([]);
  await expectNoSidewaysScroll(page);

  await page
    .getByLabel(picker)
    .setInputFiles([await file('one.png', 60), await file('two.png', 61)]);
  const cards = page.getByRole('listitem').filter({ hasText: 'Not used' });
  await expect(cards).toHaveCount(2);
  const rows = uploads(page).getByRole('listitem');
  await rows.first().getByLabel('Description').fill('The first');
  await rows.first().getByLabel('Description').press('Enter');
  await expect(cards.filter({ hasText: 'The first' })).toHaveCount(1);
  await rows.getByRole('button', { name: 'Done with two.png' }).click();
  await expect(uploads(page)).toBeHidden();

  const { pictures } = await (await page.request.get('/api/posts/pictures')).json();
  const slug = `uses-${email.slice(4, 12)}`;
  const use = (content: string) =>
    page.request.post('/api/posts', {
      headers: { Origin: site.url },
      data: { title: 'A post with it', slug, content },
    });
  const first = cards.filter({ hasText: 'The first' });
  const described = pictures.find(({ alt }: { alt: string }) => alt === 'The first');
  expect((await use(`![](${described.path})`)).ok()).toBe(true);
  pageErrors.expect(/status of 409/, `/api/posts/pictures/${described.id}`);
  await first.getByRole('button', { name: 'Delete', exact: true }).click();
  const asking = page.getByRole('dialog', { name: 'Delete this picture?' });
  await asking.getByRole('button', { name: 'Delete picture' }).click();
  await expect(asking).toContainText(
    'A post, one of its versions, or unsaved text uses this picture.',
  );
  expect(await findingsInBothThemes(page, 'refused')).toEqual([]);
  await asking.getByRole('button', { name: 'Keep it' }).click();

  await page.reload();
  const used = page.getByRole('listitem').filter({ hasText: 'The first' });
  await expect(used.getByRole('link', { name: 'A post with it' })).toHaveAttribute(
    'href',
    `/blog/${slug}`,
  );
  await expect(used.getByRole('button', { name: 'Edit description' })).toBeVisible();
  await expect(used.getByRole('button', { name: 'Delete', exact: true })).toHaveCount(0);
  expect(await findingsInBothThemes(page, 'the library')).toEqual([]);
  await expectNoSidewaysScroll(page);
  await used.getByRole('button', { name: 'Edit description' }).click();
  const description = page.getByRole('textbox', { name: 'Description' });
  await expect(description).toBeFocused();
  await description.fill('Another text');
  await description.press('Enter');
  await expect(page.getByRole('heading', { name: 'Another text' })).toBeVisible();

  await cards.getByRole('button', { name: 'Delete', exact: true }).click();
  await asking.getByRole('button', { name: 'Delete picture' }).click();
  await expect(cards).toHaveCount(0);
  await expect(page.locator('.toast')).toContainText('Picture deleted');
  await expect(page.getByRole('heading', { name: 'Your pictures' })).toBeFocused();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the library uploads, finds and deletes, and a cover takes a path', {
    tag: '@phone',
  }, async ({ page, site, email }) => {
    await signInNewUser(page, site, email);
    await page.goto('/blog/pictures');
    await page.getByRole('button', { name: 'Upload' }).click();
    await expect(page.getByText('No file selected')).toBeVisible();
    await page.getByLabel(picker).setInputFiles(await file('one.png', 60));
    await page.getByLabel('Description', { exact: true }).fill('A pump');
    await page.getByRole('button', { name: 'Upload' }).click();
    await expect(page.getByText('Picture uploaded')).toBeVisible();
    const markdown = await page.getByLabel('Markdown').inputValue();
    const [stored = ''] = new RegExp(path('60x20')).exec(markdown) ?? [];

    await page.getByLabel('Search descriptions').fill('valve');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page.getByText('No pictures match “valve”.')).toBeVisible();
    await page.getByRole('link', { name: 'Show all' }).click();

    const slug = `plain-${email.slice(4, 12)}`;
    const fields = { title: 'Plain', slug, content: 'Text', coverImage: stored };
    const reply = await page.request.post('/api/posts', {
      headers: { Origin: site.url },
      data: fields,
    });
    const { post } = await reply.json();
    await page.goto(`/blog/editor/${slug}`);
    await expect(page.getByLabel('Cover Image URL')).toHaveValue(stored);
    await page.getByLabel('Title').fill('Plain and saved');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(`/blog/${slug}`);
    await page.goto('/blog/pictures');
    await expect(page.getByRole('link', { name: 'Plain and saved' })).toBeVisible();

    for (const action of ['delete', 'delete-forever']) {
      await page.request.post(`/api/posts/${post.id}/${action}`, {
        headers: { Origin: site.url },
        data: {},
      });
    }
    await page.reload();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete picture' }).click();
    await expect(page.getByText('Picture deleted')).toBeVisible();
    await expect(page.getByText('No pictures yet')).toBeVisible();
  });
});
