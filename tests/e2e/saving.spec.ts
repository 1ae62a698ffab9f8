import { messages } from '@app/contract/messages';
import type { Locator, Page, Route } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import {
  contentEditor,
  contentField,
  editorStatus,
  openNewPost,
  saveButton,
  typeAtEnd,
} from '../support/post-editor.ts';
import type { SiteProcess } from '../support/site-process.ts';
import { expect, test } from '../support/site-test.ts';

// Save always has a result: the post, or a message.

/** @returns its slug */
async function openDraft(page: Page, site: SiteProcess, email: string): Promise<string> {
  await signInNewUser(page, site, email);
  const slug = `saved-${email.slice(4, 12)}`;
  await page.request.post('/api/posts', {
    headers: { Origin: site.url },
    data: { title: 'Saved', content: 'First.', slug },
  });
  await page.goto(`/blog/editor/${slug}`);
  await contentEditor(page).waitFor();
  return slug;
}

const centerOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element is not visible.');
  return [box.x + box.width / 2, box.y + box.height / 2] as const;
};

/** Leaves matching requests unanswered. @returns a function that waits for the first of them */
async function hang(
  page: Page,
  url: string | RegExp,
  method: string,
): Promise<() => Promise<Route>> {
  const asked = Promise.withResolvers<Route>();
  await page.route(url, async (route) => {
    if (route.request().method() === method) asked.resolve(route);
    else await route.fallback();
  });
  return () => asked.promise;
}

test('a press on Save works while the editor loads, and nothing moves', {
  tag: '@phone-full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const held = Promise.withResolvers<void>();
  await page.route(/create-editor.*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/blog/editor');
  const slug = `early-${email.slice(4, 12)}`;
  await page.getByLabel('Title').fill('Early');
  await page.getByLabel('URL Slug').fill(slug);
  await contentField(page).fill('A line.\n'.repeat(30));
  await saveButton(page).scrollIntoViewIfNeeded();
  const before = await centerOf(saveButton(page));
  await page.mouse.move(...before);
  await page.mouse.down();
  held.resolve();
  await contentEditor(page).waitFor();
  expect(await centerOf(saveButton(page))).toEqual(before);
  await page.mouse.up();
  await page.waitForURL(`/blog/${slug}`);
});

test('a press on Save works even if the button moves before the release', {
  tag: ['@full', '@phone'],
}, async ({ page, site, email }) => {
  const slug = await openDraft(page, site, email);
  await saveButton(page).scrollIntoViewIfNeeded();
  await page.mouse.move(...(await centerOf(saveButton(page))));
  await page.mouse.down();
  await page.locator('form:has(#post-title)').evaluate((form: HTMLElement) => {
    form.style.translate = '0 6rem';
  });
  await page.mouse.up();
  await page.waitForURL(`/blog/${slug}`);
});

test('a press that is dragged off Save does not count', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await openDraft(page, site, email);
  await saveButton(page).scrollIntoViewIfNeeded();
  const [x, y] = await centerOf(saveButton(page));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 200);
  await page.mouse.up();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.method()));
  await saveButton(page).hover();
  await expect(saveButton(page)).toBeEnabled();
  expect(requests).not.toContain('PATCH');
});

test('Save works while requests for a draft, a preview and presence hang', {
  tag: ['@full', '@phone'],
}, async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  // The save asks whether the server has stored the draft.
  pageErrors.expect(/status of 404/);
  const draft = await hang(page, '**/api/posts/drafts/*', 'PUT');
  await hang(page, '**/api/posts/preview', 'POST');
  await hang(page, '**/api/posts/presence', 'POST');
  await openNewPost(page);
  const slug = `hang-${email.slice(4, 12)}`;
  await page.getByLabel('Title').fill('Hang');
  await page.getByLabel('URL Slug').fill(slug);
  await typeAtEnd(page, 'Typed.');
  await draft();
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);
  await expect(page.getByText('Typed.')).toBeVisible();
});

/** Saves a new post with "Before.", and types " Meanwhile." before the reply. @returns its slug */
async function typeDuringFirstSave(page: Page, site: SiteProcess, email: string): Promise<string> {
  await signInNewUser(page, site, email);
  const posted = await hang(page, '**/api/posts', 'POST');
  await openNewPost(page);
  const slug = `typed-${email.slice(4, 12)}`;
  await page.getByLabel('Title').fill('Typed');
  await page.getByLabel('URL Slug').fill(slug);
  await typeAtEnd(page, 'Before.');
  await page.keyboard.press('ControlOrMeta+s');
  const route = await posted();
  await page.keyboard.insertText(' Meanwhile.');
  await route.continue();
  await expect(page.locator('.toast')).toContainText('Blog post created');
  return slug;
}

test('text typed during a save stays in the editor, and is stored as a draft', {
  tag: '@phone-full',
}, async ({ page, site, email }) => {
  const slug = await typeDuringFirstSave(page, site, email);
  await expect(page).toHaveURL(`/blog/editor/${slug}`);
  await expect(contentEditor(page)).toBeFocused();
  await expect(editorStatus(page)).toContainText('Saved, not published');
  const saved = async () => (await (await page.request.get(`/api/posts/${slug}`)).json()).content;
  expect(await saved()).toBe('Before.');

  await page.reload();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(contentField(page)).toHaveValue('Before. Meanwhile.');
  await contentEditor(page).waitFor();
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);
  expect(await saved()).toBe('Before. Meanwhile.');
  expect(await (await page.request.get('/api/posts/drafts')).json()).toEqual({ drafts: [] });
});

test('a second save after typing during the first one changes the same post', {
  tag: '@full',
}, async ({ page, site, email }) => {
  const slug = await typeDuringFirstSave(page, site, email);
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);
  await expect(page.getByText('Before. Meanwhile.')).toBeVisible();
});

test('a double click saves once', { tag: '@full' }, async ({ page, site, email }) => {
  const slug = await openDraft(page, site, email);
  let saves = 0;
  page.on('request', (request) => {
    if (request.method() === 'PATCH') saves += 1;
  });
  await saveButton(page).dblclick();
  await page.waitForURL(`/blog/${slug}`);
  expect(saves).toBe(1);
});

test('after a stopped navigation, the form can be used and saved again', { tag: '@full' }, async ({
  page,
  context,
  site,
  email,
}) => {
  const slug = await openDraft(page, site, email);
  const asked = await hang(page, `**/blog/${slug}`, 'GET');
  await saveButton(page).click();
  await asked();
  await (await context.newCDPSession(page)).send('Page.stopLoading');
  await expect(saveButton(page)).toBeEnabled();
  await expect(page.locator('.toast')).toContainText('Blog post updated');
  await typeAtEnd(page, ' Second.');
  await expect(editorStatus(page)).toContainText('Saved, not published');
  await page.unrouteAll();
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);
  await expect(page.getByText('First. Second.')).toBeVisible();
});

test('a save while offline shows an error, and works when back online', {
  tag: ['@full', '@phone'],
}, async ({ page, context, site, email, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  const slug = await openDraft(page, site, email);
  await context.setOffline(true);
  await typeAtEnd(page, ' Offline.');
  await saveButton(page).click();
  const result = page.getByRole('main').locator('[data-outcome]');
  await expect(result).toContainText("We couldn't reach the server.");
  // One live region inside another would be announced twice.
  await expect(result.locator('[role]')).toHaveCount(0);
  await context.setOffline(false);
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);
  await expect(page.getByText('First. Offline.')).toBeVisible();
});

test('a validation error without a field is shown as a message', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await openDraft(page, site, email);
  pageErrors.expect(/status of 422/);
  await page.route('**/api/posts/*', (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    const body = JSON.stringify({
      code: 'invalid_input',
      detail: 'Some fields need your attention.',
      issues: [{ path: 'baseVersion', message: 'Invalid key.' }],
    });
    return route.fulfill({ status: 422, contentType: 'application/problem+json', body });
  });
  await saveButton(page).click();
  await expect(page.getByRole('main').locator('[data-outcome]')).toContainText(
    'baseVersion Invalid key.',
  );
});

test('a save includes what was pasted right before it', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  const slug = await openDraft(page, site, email);
  const converter = Promise.withResolvers<Route>();
  await page.route(/html-to-markdown.*\.js$/, (route) => converter.resolve(route));
  await contentEditor(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await contentEditor(page).evaluate((element) => {
    const data = new DataTransfer();
    data.setData('text/plain', ' Pasted.');
    data.setData('text/html', '<p><b>Pasted.</b></p>');
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  });
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('button', { name: 'Saving' })).toBeDisabled();
  await (await converter.promise).continue();
  await page.waitForURL(`/blog/${slug}`);
  const { content } = await (await page.request.get(`/api/posts/${slug}`)).json();
  expect(content).toBe('First.**Pasted.**');
});

test('a failed save says so, in the words of the server if it knows the reason', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  await page.getByLabel('Title').fill('Failed');
  await typeAtEnd(page, 'Text.');
  const result = page.getByRole('main').locator('[data-outcome]');
  const answer = (status: number, problem: object) =>
    page.route('**/api/posts', (route) =>
      route.fulfill({ status, contentType: 'application/problem+json', json: problem }),
    );

  pageErrors.expect(/status of 500/);
  await answer(500, {
    code: 'internal',
    status: 500,
    title: 'Wrong',
    detail: 'Please try again later.',
  });
  await saveButton(page).click();
  await expect(result).toHaveText('ErrorAn error occurred while saving');

  pageErrors.expect(/status of 503/);
  await answer(503, { code: 'busy', status: 503, title: 'Busy', detail: 'Too many posts.' });
  await saveButton(page).click();
  await expect(result).toHaveText('ErrorToo many posts.');

  pageErrors.expect(/status of 502/);
  await page.route('**/api/posts', (route) => route.fulfill({ status: 502, body: '<html>' }));
  await saveButton(page).click();
  await expect(result).toContainText('An error occurred while saving');
  await expect(result).toContainText(messages.forms.unreachableTyped);
});

test('a save after a lost response continues the earlier save', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  let isLosing = false;
  await page.route(/\/api\/posts(?:\/[-\w]+)?$/, async (route) => {
    const url = new URL(route.request().url());
    const isSave = route.request().method() === 'PATCH' || url.pathname === '/api/posts';
    if (!isSave || !isLosing) return route.fallback();
    isLosing = false;
    await route.fetch();
    await route.abort('connectionreset');
  });
  const storedText = () =>
    page.waitForResponse((reply) => reply.request().method() === 'PUT' && reply.ok());
  const saveAndLoseAnswer = async () => {
    isLosing = true;
    await saveButton(page).click();
    await expect(page.getByText(messages.forms.unreachableTyped)).toBeVisible();
  };
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await signInNewUser(page, site, email);
  await openNewPost(page);
  const slug = `lost-${email.slice(4, 12)}`;
  await page.getByLabel('Title').fill('Lost');
  await page.getByLabel('URL Slug').fill(slug);
  await typeAtEnd(page, 'One.');
  await expect(editorStatus(page)).toContainText('Saved, not published');
  await saveAndLoseAnswer();
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);

  await page.goto(`/blog/editor/${slug}`);
  let stored = storedText();
  await typeAtEnd(page, ' Two.');
  await stored;
  await saveAndLoseAnswer();
  // The save whose response was lost has deleted the draft.
  pageErrors.expect(/status of 409/);
  pageErrors.expect(/status of 404/);
  stored = storedText();
  await typeAtEnd(page, ' Three.');
  await stored;
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);
  const { content } = await (await page.request.get(`/api/posts/${slug}`)).json();
  expect(content).toBe('One. Two. Three.');
  expect(await (await page.request.get('/api/posts/drafts')).json()).toEqual({ drafts: [] });
});
