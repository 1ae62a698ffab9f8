import { needsScript } from '@app/site/blog/needs-script';
import type { Page } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { expectToFit } from '../support/layout.ts';
import { contentField, editorStatus, saveButton } from '../support/post-editor.ts';
import type { SiteProcess } from '../support/site-process.ts';
import { expect, test } from '../support/site-test.ts';

/** A draft with two versions, and a post in the trash. */
async function writePosts(page: Page, site: SiteProcess, own: string) {
  const headers = { Origin: site.url };
  const write = async (title: string, slug: string) => {
    const data = { title, slug, content: `Text of ${title}.` };
    const reply = await page.request.post('/api/posts', { headers, data });
    return (await reply.json()).post as { id: string };
  };
  const draft = await write('A draft', `draft-${own}`);
  await page.request.patch(`/api/posts/${draft.id}`, { headers, data: { title: 'The draft' } });
  const trashed = await write('In the trash', `trash-${own}`);
  await page.request.delete(`/api/posts/${trashed.id}`, { headers });
  return draft;
}

// `getByText` does not look into this element.
const sentenceOf = (page: Page) => page.locator('main noscript p');

/** Controls in `main` that do nothing without scripts. */
const controlsOf = (page: Page) =>
  page
    .getByRole('main')
    .locator('button, input, textarea, select, [contenteditable]')
    .filter({ visible: true });

test('without scripts, the screens of writers say that they need them', {
  tag: '@phone-full',
}, async ({ newVisitor, site, email }) => {
  const page = await newVisitor({ javaScriptEnabled: false });
  await signInNewUser(page, site, email);
  const own = email.slice(4, 12);
  await writePosts(page, site, own);
  const screens = [
    { path: '/blog/editor', shown: 'New Post' },
    { path: `/blog/editor/draft-${own}`, shown: 'History' },
    { path: `/blog/editor/draft-${own}/history?version=2`, shown: 'Version 1' },
    { path: '/blog/trash', shown: 'In the trash' },
    { path: '/blog/pictures', shown: 'Pictures' },
    { path: `/blog/draft-${own}`, shown: 'Text of A draft.' },
  ];
  for (const { path, shown } of screens) {
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(sentenceOf(page), path).toHaveText([needsScript]);
    await expect(sentenceOf(page)).toBeVisible();
    await expect(main.getByText(shown).filter({ visible: true }).first(), path).toBeVisible();
    await expect(controlsOf(page), path).toHaveCount(0);
    await expectToFit(page);
  }
});

/** Holds the requests until the returned function is called. */
async function hold(page: Page, url: RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

test('until its script is there, the editor saves nothing and keeps what is typed', {
  tag: '@phone',
}, async ({ page, site, email }) => {
  const slug = `early-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.isNavigationRequest()) posts.push(request.url());
  });
  const release = await hold(page, /\/_astro\/.*\.js$/);
  await page.goto('/blog/editor', { waitUntil: 'commit' });
  await page.getByLabel('Title').fill('Early');
  await page.getByLabel('URL Slug').fill(slug);
  await contentField(page).fill('Before the scripts.');
  await expect(saveButton(page)).toBeDisabled();
  await page.getByLabel('Title').press('Enter');
  await saveButton(page).click({ force: true });
  await expect(page).toHaveURL('/blog/editor');
  await expect(contentField(page)).toHaveValue('Before the scripts.');

  release();
  await expect(editorStatus(page)).toContainText('Saved, not published');
  await expect(page.getByLabel('Title')).toHaveValue('Early');
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);
  await expect(page.getByText('Before the scripts.')).toBeVisible();
  expect(posts).toEqual([]);
});

test('until their scripts are there, the buttons of other screens are disabled', {
  tag: '@full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const own = email.slice(4, 12);
  await writePosts(page, site, own);
  for (const [path, name] of [
    [`/blog/draft-${own}`, 'Publish'],
    [`/blog/editor/draft-${own}`, 'Create link'],
    [`/blog/editor/draft-${own}/history?version=1`, 'Restore this version'],
    ['/blog/trash', 'Restore'],
  ] as const) {
    const release = await hold(page, /\/_astro\/.*\.js$/);
    await page.goto(path, { waitUntil: 'commit' });
    const button = page.getByRole('main').getByRole('button', { name, exact: true });
    await expect(button, path).toBeDisabled();
    release();
    await expect(button, path).toBeEnabled();
    await page.unrouteAll({ behavior: 'wait' });
  }
});
