import type { Page } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { contentEditor } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

test('the slug follows the title until it is changed, and is checked', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  const word = email.slice(4, 12);
  await signInNewUser(page, site, email);
  const create = (slug: string) =>
    page.request.post('/api/posts', {
      headers: { Origin: site.url },
      data: { title: 'First', slug, content: 'Text' },
    });
  expect((await create(`pipes-${word}`)).status()).toBe(201);

  await page.goto('/blog/editor');
  const title = page.getByLabel('Title');
  const slug = page.getByLabel('URL Slug');
  const status = page.locator('#post-slug-status');
  await expect(page.locator('#editor-status')).toBeAttached();
  await title.fill('Search');
  await expect(slug).toHaveValue('search');
  await expect(status).toContainText('The site itself uses this URL');
  await title.fill(`Pipes ${word}`);
  await expect(slug).toHaveValue(`pipes-${word}`);
  await expect(status).toContainText('Another post has or had this URL');
  await expect(slug).toHaveAccessibleDescription(/Another post has or had this URL/);

  // All keys cause a single request.
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/posts/slugs/')) requests.push(request.url());
  });
  // Without a pause between the keys, on any machine.
  await slug.evaluate((field: HTMLInputElement) => {
    for (const key of '-two') {
      field.setRangeText(key, field.value.length, field.value.length, 'end');
      field.dispatchEvent(new InputEvent('input', { bubbles: true, data: key }));
    }
  });
  await expect(status).toHaveText('This URL is free.');
  expect(requests).toEqual([`${site.url}/api/posts/slugs/pipes-${word}-two`]);
  await title.fill('Something else');
  await expect(slug).toHaveValue(`pipes-${word}-two`);

  // A failed check shows nothing.
  await page.route('**/api/posts/slugs/**', (route) => route.abort());
  pageErrors.expect(/ERR_FAILED/, `/api/posts/slugs/pipes-${word}-two-three`);
  await slug.fill(`pipes-${word}-two-three`);
  await expect(status).toHaveCount(0);
  await page.unroute('**/api/posts/slugs/**');

  // An empty slug follows the title again.
  await slug.fill('');
  await title.fill(`Valves ${word}`);
  await expect(slug).toHaveValue(`valves-${word}`);
  await expect(status).toHaveText('This URL is free.');
  expect((await create(`valves-${word}`)).status()).toBe(201);
  await contentEditor(page).fill('Text');
  pageErrors.expect(/status of 409/);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(slug).toHaveAttribute('aria-invalid', 'true');
  // The error is shown once.
  await expect(status).toHaveCount(0);
  await title.fill(`Valves again ${word}`);
  await expect(slug).not.toHaveAttribute('aria-invalid');
  await expect(status).toHaveText('This URL is free.');
});

test('only another URL is said to redirect', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const slug = `stays-${email.slice(4, 12)}`;
  for (const published of [false, true]) {
    const own = `${slug}-${published}`;
    const data = { title: 'Stays', content: 'Text', slug: own, published };
    await page.request.post('/api/posts', { headers: { Origin: site.url }, data });
    await page.goto(`/blog/editor/${own}`);
    await expect(page.locator('#editor-status')).toHaveText('Saved');
    const hint = page.getByText('The old URL will redirect to the new one.');
    await expect(hint).toHaveCount(0);
    await page.getByLabel('URL Slug').fill(`${own}-moved`);
    await expect(hint).toBeVisible();
    await page.getByLabel('URL Slug').fill(own);
    await expect(hint).toHaveCount(0);
  }
});

/** Types the title of a new post before the scripts load. @returns a function that loads them */
async function typeEarlyTitle(page: Page, title: string): Promise<() => void> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/blog/editor', { waitUntil: 'commit' });
  await page.getByLabel('Title').fill(title);
  return release;
}

test('the slug follows a title that was typed before the script loaded', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  const release = await typeEarlyTitle(page, `Early ${email.slice(4, 12)}`);
  release();
  await expect(page.getByLabel('URL Slug')).toHaveValue(`early-${email.slice(4, 12)}`);
  await expect(page.locator('#post-slug-status')).toHaveText('This URL is free.');
});

test('no slug is filled in if the writer enters the field while the script loads', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.addInitScript(() => {
    // React is about to hydrate the editor, and does so immediately when the focus leaves the title.
    new MutationObserver(() => {
      const slug = document.querySelector<HTMLElement>('astro-island:not([ssr]) [name=slug]');
      slug?.focus();
    }).observe(document, { subtree: true, attributeFilter: ['ssr'] });
  });
  const release = await typeEarlyTitle(page, 'Early');
  release();
  const slug = page.getByLabel('URL Slug');
  await expect(slug).toBeFocused();
  await expect(page.locator('#editor-status')).toBeAttached();
  await page.keyboard.type('mine');
  await expect(slug).toHaveValue('mine');
});
