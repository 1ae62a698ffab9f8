import { day } from '@app/contract/durations';
import { addUser, endSessions, signInAs, signInNewUser } from '../support/account.ts';
import {
  contentEditor,
  contentField,
  editorStatus,
  saveButton,
  typeAtEnd,
} from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';
import { textsOnDevice } from '../support/texts-on-device.ts';

test('the status is true at each moment', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const slug = `true-${email.slice(4, 12)}`;
  const data = { title: 'True', content: 'Saved.', slug };
  await page.request.post('/api/posts', { headers: { Origin: site.url }, data });
  const held: (() => void)[] = [];
  await page.route('**/api/posts/drafts/*', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.goto(`/blog/editor/${slug}`);
  await expect(editorStatus(page)).toHaveText('Saved');
  const isUnsaved = () =>
    page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  for (const stored of ['Saved, not published', 'Saved, not published']) {
    await typeAtEnd(page, ' More.');
    await expect(editorStatus(page)).toHaveText('Saving your changes…');
    expect(await isUnsaved()).toBe(true);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    for (const release of held.splice(0)) release();
    await expect(editorStatus(page)).toContainText(stored);
    expect(await isUnsaved()).toBe(false);
  }
});

test('opening a post or a copy of a sample stores nothing', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const slug = `only-opened-${email.slice(4, 12)}`;
  const posts = [
    { slug, published: true },
    { slug: `${slug}-draft`, tags: ['Pumps', 'Heat'] },
    { slug: `${slug}-lines`, content: '\r\nOne \r\ntwo\r\n\r\n', excerpt: 'One\r\ntwo' },
    { slug: `${slug}-later`, scheduledAt: new Date(Date.now() + day).toISOString() },
  ];
  for (const post of posts) {
    const data = { title: ' Only opened ', content: 'Text.', ...post };
    const reply = await page.request.post('/api/posts', { headers: { Origin: site.url }, data });
    expect(reply.status()).toBe(201);
  }
  const samples = [
    'voice-ai-agents-in-customer-service',
    'optimizing-customer-communication-with-ai-in-2025',
  ];
  for (const opened of [...samples, ...posts.map((post) => post.slug)]) {
    await page.goto(`/blog/editor/${opened}`);
    await contentEditor(page).waitFor();
    await page.getByLabel('Title').focus();
    await expect(editorStatus(page), opened).toHaveText(samples.includes(opened) ? '' : 'Saved');
    expect(await textsOnDevice(page), opened).toEqual([]);
    const isAsked = await page.evaluate(
      () => !dispatchEvent(new Event('beforeunload', { cancelable: true })),
    );
    expect(isAsked, opened).toBe(false);
  }
  const { drafts } = await (await page.request.get('/api/posts/drafts')).json();
  expect(drafts).toEqual([]);
});

test('the save key works outside the form, such as right after a restore', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  const slug = `key-${email.slice(4, 12)}`;
  const data = { title: 'Key', content: 'Saved.', slug };
  const created = await page.request.post('/api/posts', { headers: { Origin: site.url }, data });
  const { post } = await created.json();
  const contentOf = async () =>
    (await (await page.request.get(`/api/posts/${slug}`)).json()).content;
  const restoreAndSave = async () => {
    await page.getByText('Restore', { exact: true }).click();
    await expect(contentField(page)).toHaveValue(/Typed/);
    await contentEditor(page).waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.waitForURL(`/blog/${slug}`);
  };

  // From this device.
  pageErrors.expect(/ERR_FAILED/);
  await page.route('**/api/posts/drafts/*', (route) => route.abort());
  await page.goto(`/blog/editor/${slug}`);
  await typeAtEnd(page, ' Typed here.');
  await expect.poll(() => textsOnDevice(page)).toContain('Saved. Typed here.');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  // The closed page may still send its text until then.
  await page.getByText('Restore', { exact: true }).waitFor();
  await page.unroute('**/api/posts/drafts/*');
  await restoreAndSave();
  expect(await contentOf()).toBe('Saved. Typed here.');

  // From the server.
  await page.request.put(`/api/posts/drafts/${post.id}`, {
    headers: { Origin: site.url },
    data: { title: 'Key', slug, content: 'Typed elsewhere.', baseVersion: 2 },
  });
  await page.goto(`/blog/editor/${slug}`);
  await restoreAndSave();
  expect(await contentOf()).toBe('Typed elsewhere.');
});

test('words are counted from the first one', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog/editor');
  await expect(page.getByText('No words yet')).toBeVisible();
  // Timers do not run while the clock stands still.
  await page.evaluate(() => Object.assign(window, { setTimeout: () => 0 }));
  await contentEditor(page).fill('One');
  await expect(page.getByText('1 word ·')).toBeVisible();
});

test('text survives a lost network, a crash and an ended session', { tag: '@phone-full' }, async ({
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
  await expect(editorStatus(first)).toHaveText('Saved');

  await typeAtEnd(first, ' Stored.');
  await expect(editorStatus(first)).toContainText('Saved, not published');

  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await typeAtEnd(first, ' Offline.');
  await expect(editorStatus(first)).toContainText('On this device only');
  await expect(editorStatus(first)).toContainText('You are offline.');
  await expect.poll(() => textsOnDevice(first)).toContain('Saved. Stored. Offline.');
  // This command is never answered.
  void (await context.newCDPSession(first)).send('Page.crash').catch(() => undefined);
  await first.waitForEvent('crash');
  await first.close();
  await context.setOffline(false);

  const page = await context.newPage();
  await page.goto(`/blog/editor/${slug}`);
  await expect(page.getByText('. On this device only.')).toBeVisible();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(contentField(page)).toHaveValue('Saved. Stored. Offline.');
  await expect(editorStatus(page)).toContainText('Saved, not published');

  endSessions(site, email);
  pageErrors.expect(/status of 401/);
  await typeAtEnd(page, ' Signed out.');
  await expect(editorStatus(page)).toContainText('On this device only');
  await page.close({ runBeforeUnload: false });

  const back = await context.newPage();
  await signInAs(back, site, email);
  await back.goto(`/blog/editor/${slug}`);
  await back.getByRole('button', { name: 'Restore' }).click();
  await expect(contentField(back)).toHaveValue('Saved. Stored. Offline. Signed out.');
  await expect(editorStatus(back)).toContainText('Saved, not published');
  await saveButton(back).click();
  await back.waitForURL(`**/blog/${slug}`);
  await expect(back.getByText('Signed out.')).toBeVisible();

  await back.goto(`/blog/editor/${slug}`);
  await expect(editorStatus(back)).toHaveText('Saved');
  await expect(back.getByRole('button', { name: 'Restore' })).toHaveCount(0);
});

test('an unsaved new post is offered only to its author, and two tabs do not overwrite each other', {
  tag: '@full',
}, async ({ page: first, context, site, email, pageErrors }) => {
  await signInNewUser(first, site, email);
  await first.goto('/blog/editor');
  await expect(contentEditor(first)).toBeVisible();
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await first.getByLabel('Title').fill('Of Ann');
  await typeAtEnd(first, 'Typed.');
  await expect(editorStatus(first)).toContainText('On this device only');

  await test.step('leaving asks first', async () => {
    const asked = first.waitForEvent('dialog');
    const clicked = first.getByRole('link', { name: 'Back to Blog' }).click();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await clicked;
    await expect(contentField(first)).toHaveValue('Typed.');
    await first.close({ runBeforeUnload: false });
  });
  await context.setOffline(false);

  await test.step('another account does not see it', async () => {
    const other = await context.newPage();
    await context.clearCookies();
    await signInNewUser(other, site, `other-${email}`);
    const listed = other.waitForResponse(/posts\/drafts$/);
    await other.goto('/blog/editor');
    await listed;
    await typeAtEnd(other, 'Of the other.');
    await expect(editorStatus(other)).toContainText('Saved, not published');
    await expect(other.getByText('Of Ann')).toHaveCount(0);
    // Text that is stored on the server can be left without a question.
    await other.goto('/blog');
    await other.close();
  });

  await context.clearCookies();
  const page = await context.newPage();
  await signInAs(page, site, email);
  await page.goto('/blog/editor');
  await expect(page.getByText('You have an unsaved post, “Of Ann”')).toBeVisible();
  // It is a link if the closing page reached the server after all.
  const restore = { name: 'Restore' };
  await page.getByRole('button', restore).or(page.getByRole('link', restore)).click();
  await expect(page.getByLabel('Title')).toHaveValue('Of Ann');
  await expect(editorStatus(page)).toContainText('Saved, not published');

  const second = await context.newPage();
  await test.step('a second tab continues it from the server, and the first does not overwrite it', async () => {
    await second.goto('/blog/editor');
    await second.getByRole('link', { name: 'Restore' }).click();
    await second.waitForURL(/editor\/[-0-9a-f]{36}$/);
    await typeAtEnd(second, ' Second tab.');
    await expect(editorStatus(second)).toContainText('Saved, not published');

    pageErrors.expect(/status of 409/);
    await typeAtEnd(page, ' First tab.');
    await expect(editorStatus(page)).toContainText('On this device only');
    await expect(page.getByRole('link', { name: 'Restore' })).toBeVisible();
  });

  await test.step('once that text is discarded, the text of the first tab is stored', async () => {
    await second.close();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(editorStatus(page)).toContainText('Saved, not published');
    await saveButton(page).click();
    await page.waitForURL('**/blog/of-ann');
    await expect(page.getByText('Typed. First tab.')).toBeVisible();
  });

  const drafts = await page.request.get('/api/posts/drafts');
  expect(await drafts.json()).toEqual({ drafts: [] });
  await expect.poll(() => textsOnDevice(page)).toEqual([]);
});

test('a tab that waits because of text in another tab continues once that text is saved', {
  tag: '@full',
}, async ({ page, context, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  const slug = `tabs-${email.slice(4, 12)}`;
  await page.request.post('/api/posts', {
    headers: { Origin: site.url },
    data: { title: 'Tabs', content: 'One.\n\nTwo.\n\nThree.', slug },
  });
  await page.goto(`/blog/editor/${slug}`);
  const second = await context.newPage();
  await second.goto(`/blog/editor/${slug}`);
  await typeAtEnd(page, ' First tab.');
  await expect(editorStatus(page)).toContainText('Saved, not published');
  pageErrors.expect(/status of 409/);
  await contentEditor(second).click();
  await second.keyboard.press('ControlOrMeta+Home');
  await second.keyboard.insertText('Second tab. ');
  await expect(second.getByRole('button', { name: 'Restore' })).toBeVisible();
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);

  pageErrors.expect(/status of 404/);
  await second.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(editorStatus(second)).toContainText('Saved, not published');
  await expect(second.getByRole('button', { name: 'Restore' })).toBeHidden();
  await saveButton(second).click();
  await second.waitForURL(`/blog/${slug}`);
  const { content } = await (await page.request.get(`/api/posts/${slug}`)).json();
  expect(content).toBe('Second tab. One.\n\nTwo.\n\nThree. First tab.');
});

test('text of a post that was deleted in the meantime becomes a new post', {
  tag: '@full',
}, async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  const headers = { Origin: site.url };
  const slug = `gone-${email.slice(4, 12)}`;
  const data = { title: 'Gone', content: 'Saved.', slug };
  const created = await page.request.post('/api/posts', { headers, data });
  const { id } = (await created.json()).post;
  const gone = page.getByText('This post was deleted or unpublished');
  await page.goto(`/blog/editor/${slug}`);
  await typeAtEnd(page, ' Typed.');
  await expect(editorStatus(page)).toContainText('Saved, not published');
  await page.request.delete(`/api/posts/${id}`, { headers });
  pageErrors.expect(/status of 404/);

  await test.step('text that is typed afterwards is stored', async () => {
    await typeAtEnd(page, ' After that.');
    await expect(gone).toBeVisible();
    await expect(editorStatus(page)).toContainText('Saved, not published');
    await page.reload();
    await page.getByRole('link', { name: 'Restore' }).click();
    await expect(contentField(page)).toHaveValue('Saved. Typed. After that.');
  });

  // The deleted post keeps its slug.
  await page.getByLabel('URL Slug').fill(`${slug}-2`);
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}-2`);
  await expect(page.getByText('After that.')).toBeVisible();

  await test.step('a save shows the deletion, and the next one makes a new post', async () => {
    const second = (await (await page.request.get(`/api/posts/${slug}-2`)).json()).id;
    await page.goto(`/blog/editor/${slug}-2`);
    await page.request.delete(`/api/posts/${second}`, { headers });
    await saveButton(page).click();
    await expect(gone).toBeVisible();
    await expect(contentField(page)).toHaveValue('Saved. Typed. After that.');
    await page.getByLabel('URL Slug').fill(`${slug}-3`);
    await saveButton(page).click();
    await page.waitForURL(`/blog/${slug}-3`);
  });
  const drafts = await page.request.get('/api/posts/drafts');
  expect(await drafts.json()).toEqual({ drafts: [] });
  await expect.poll(() => textsOnDevice(page)).toEqual([]);
});

test('a copy of a deleted post is offered for a new post', { tag: '@full' }, async ({
  page: first,
  context,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(first, site, email);
  const headers = { Origin: site.url };
  const slug = `copy-${email.slice(4, 12)}`;
  const data = { title: 'Copied', content: 'Saved.', slug };
  const created = await first.request.post('/api/posts', { headers, data });
  const { id } = (await created.json()).post;
  await first.goto(`/blog/editor/${slug}`);
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await typeAtEnd(first, ' Offline.');
  await expect.poll(() => textsOnDevice(first)).toEqual(['Saved. Offline.']);
  await first.close({ runBeforeUnload: false });
  await context.setOffline(false);

  const page = await context.newPage();
  await page.goto('/blog/editor');
  await typeAtEnd(page, '.');
  await expect(editorStatus(page)).toContainText('Saved, not published');
  await expect(page.getByText('You have an unsaved post')).toHaveCount(0);
  await page.request.delete(`/api/posts/${id}`, { headers });
  pageErrors.expect(/status of 404/);
  await page.goto('/blog/editor');
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(contentField(page)).toHaveValue('Saved. Offline.');
  await expect(editorStatus(page)).toContainText('Saved, not published');
  await page.getByLabel('URL Slug').fill(`${slug}-2`);
  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}-2`);
});

test('a save that conflicts with a save on another device shows both texts', {
  tag: '@full',
}, async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  const headers = { Origin: site.url };
  const slug = `devices-${email.slice(4, 12)}`;
  const data = { title: 'Devices', content: 'Saved.', slug };
  const created = await page.request.post('/api/posts', { headers, data });
  const { id } = (await created.json()).post;
  await page.goto(`/blog/editor/${slug}`);
  await contentEditor(page).waitFor();
  const other = { ...data, content: 'Saved. Elsewhere.', baseVersion: 1 };
  const stored = await page.request.put(`/api/posts/drafts/${id}`, { headers, data: other });
  pageErrors.expect(/status of 40[49]/);
  await typeAtEnd(page, ' Here.');
  await expect(editorStatus(page)).toContainText('Restore or discard');
  const draft = { draft: id, draftUpdatedAt: (await stored.json()).updatedAt };
  await page.request.patch(`/api/posts/${id}`, { headers, data: { ...other, ...draft } });

  await saveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Choose which changes to keep' })).toBeFocused();
  await expect(page.getByText('You saved this post on another device')).toBeVisible();
  await expect(page.getByText('From the other device or tab')).toBeVisible();
  await expect(contentField(page)).toHaveValue('Saved. Here.');
});

test('a save does not delete newer text from another device, which is then offered', {
  tag: '@full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const headers = { Origin: site.url };
  const slug = `newer-${email.slice(4, 12)}`;
  const data = { title: 'Newer', content: 'Saved.', slug };
  const created = await page.request.post('/api/posts', { headers, data });
  const { id } = (await created.json()).post;
  await page.goto(`/blog/editor/${slug}`);
  await typeAtEnd(page, ' Typed.');
  await expect(editorStatus(page)).toContainText('Saved, not published');
  const newer = { ...data, content: 'Of another device.\n\nSaved.', baseVersion: 1 };
  await page.request.put(`/api/posts/drafts/${id}`, { headers, data: newer });

  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);
  await page.goto(`/blog/editor/${slug}`);
  await expect(contentField(page)).toHaveValue('Saved. Typed.');
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(contentField(page)).toHaveValue(/Of another device/);
});

test('text is stored while the request for the session is unanswered', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog');
  const remembered = () => page.evaluate(() => localStorage.getItem('account'));
  await expect.poll(remembered).toContain(email);
  await page.route('**/api/auth/session', () => undefined);
  await page.goto('/blog/editor');
  await typeAtEnd(page, 'Typed.');
  await expect(editorStatus(page)).toContainText('Saved, not published');
});

test('restoring a copy keeps what was typed before', { tag: '@full' }, async ({
  page: first,
  context,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(first, site, email);
  const headers = { Origin: site.url };
  const slug = `typed-${email.slice(4, 12)}`;
  const data = { title: 'Typed', content: 'Saved.', slug };
  const created = await first.request.post('/api/posts', { headers, data });
  const { id } = (await created.json()).post;
  await first.goto(`/blog/editor/${slug}`);
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await typeAtEnd(first, ' Offline.');
  await expect.poll(() => textsOnDevice(first)).toEqual(['Saved. Offline.']);
  await first.close({ runBeforeUnload: false });
  await context.setOffline(false);
  const page = await context.newPage();
  const phone = { ...data, content: 'Saved. Of the phone.' };
  await page.request.put(`/api/posts/drafts/${id}`, { headers, data: phone });

  await page.goto(`/blog/editor/${slug}`);
  await expect(page.getByText('. On this device only.')).toBeVisible();
  await page.getByLabel('Title').fill('Typed now');
  await typeAtEnd(page, ' Typed now.');
  await expect(editorStatus(page)).toContainText('Restore or discard');
  const restore = page
    .getByRole('listitem')
    .filter({ hasText: 'On this device only' })
    .getByRole('button', { name: 'Restore' });
  await restore.click();
  await expect(contentField(page)).toHaveValue('Saved. Offline.');
  await expect
    .poll(async () => (await textsOnDevice(page)).sort())
    .toEqual(['Saved. Offline.', 'Saved. Typed now.']);

  await restore.click();
  await expect(page.getByLabel('Title')).toHaveValue('Typed now');
  await expect(contentField(page)).toHaveValue('Saved. Typed now.');
  await expect(page.locator('main :focus')).toHaveCount(1);
});

test('text is not saved under another account that has signed in since', { tag: '@full' }, async ({
  page,
  context,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog/editor');
  const slug = `account-${email.slice(4, 12)}`;
  await page.getByLabel('Title').fill('Of Ann');
  await page.getByLabel('URL Slug').fill(slug);
  await typeAtEnd(page, 'Typed.');
  await expect(editorStatus(page)).toContainText('Saved, not published');
  await context.clearCookies();
  await addUser(site, `bob-${email}`);
  await signInAs(page, site, `bob-${email}`);

  pageErrors.expect(/status of 403/, '/api/posts');
  await saveButton(page).click();
  await expect(page.getByText('This text was typed in another account.')).toBeVisible();
  expect((await page.request.get(`/api/posts/${slug}`)).status()).toBe(404);
  await expect(contentField(page)).toHaveValue('Typed.');
});
