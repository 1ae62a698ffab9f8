import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { password, signInNewUser } from '../support/account.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { waitForConfirmationLink } from '../support/mailbox.ts';
import { contentEditor } from '../support/post-editor.ts';
import { expect, idle, test } from '../support/site-test.ts';

test('a user signs up, and the button behind the emailed link signs them in, once', {
  tag: '@phone-full',
}, async ({ page, site, email, request }) => {
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Sign Up' });
  await panel.getByLabel('Email').fill(email);
  await panel.getByLabel('Password').fill(password);
  await pressHydrated(panel.getByRole('button', { name: 'Sign Up' }));
  await expect(panel.getByText('Registration successful! Please check your email')).toBeVisible();
  await expect(panel.getByLabel('Password')).toHaveValue('');
  const link = await waitForConfirmationLink(site.dataDir, email);

  // Like an email scanner: fetching the link confirms nothing.
  expect((await request.get(link)).status()).toBe(200);
  const tooEarly = await page.request.post('/api/auth/sign-in', {
    headers: { Origin: site.url },
    data: { email, password },
  });
  expect(await tooEarly.json()).toMatchObject({ code: 'email_not_confirmed' });

  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL('/blog');
  await expect(page.locator('html')).toHaveClass(/\bsigned-in\b/);
  const session = await page.request.get('/api/auth/session');
  expect(await session.json()).toMatchObject({ user: { email } });

  await page.context().clearCookies();
  await page.goto(link);
  await expect(page).toHaveURL(`/auth?email=${encodeURIComponent(email)}#dead-link`);
  const notice = page.getByText('It looks like there was an issue with your verification link.');
  await expect(notice.filter({ visible: true })).toHaveCount(1);
  await pressHydrated(page.getByRole('button', { name: 'Resend confirmation email' }));
  await expect(page.getByText('Confirmation email sent!').filter({ visible: true })).toBeVisible();
});

test('a post is written, edited, published and deleted', {
  tag: '@phone-full',
}, async ({ page, site, email, newVisitor, pageErrors }) => {
  const slug = `betty-${email.slice(4, 12)}`;
  const file = join(site.dataDir, 'site/blog', `${slug}.html`);
  await signInNewUser(page, site, email);
  await page.goto('/blog');
  const reader = await newVisitor();
  const asked: string[] = [];
  reader.on('request', (request) => asked.push(new URL(request.url()).pathname));

  await test.step('a new post is a draft that only its author sees', async () => {
    await page.getByRole('link', { name: 'New Post' }).click();
    await page.getByLabel('Title').fill('Betty takes the night shift');
    await page.getByLabel('URL Slug').fill(slug);
    await contentEditor(page).fill('## At night\n\nShe **answers**.\n\n- one\n- two');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(`/blog/${slug}`);
    await expect(page.getByText('Draft', { exact: true })).toBeVisible();
    expect(existsSync(file)).toBe(false);

    pageErrors.expect(/status of 404/, `/blog/${slug}`);
    await reader.goto(`/blog/${slug}`);
    await expect(reader.getByRole('heading', { name: 'Blog post not found' })).toBeVisible();
  });

  await test.step('a published post is a static file that loads no scripts', async () => {
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(page.getByText('Post published')).toBeVisible();
    expect(readFileSync(file, 'utf8')).toContain('Betty takes the night shift');

    asked.length = 0;
    const response = await reader.goto(`/blog/${slug}`);
    expect(await response?.text()).toBe(readFileSync(file, 'utf8'));
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText(
      'Betty takes the night shift',
    );
    await expect(reader.getByRole('heading', { name: 'At night' })).toBeVisible();
    await expect(reader.locator('strong')).toHaveText('answers');
    await expect(reader.getByRole('main').getByRole('listitem')).toHaveText(['one', 'two']);
    await expect(reader.getByRole('button', { name: /Publish|Delete/ })).toHaveCount(0);
    await idle(reader);
    expect(asked.filter((path) => /\.m?js$|react|\/api\//.test(path))).toEqual([]);

    await reader.goto('/blog');
    await expect(reader.getByRole('link', { name: 'Betty takes the night shift' })).toBeVisible();
  });

  await test.step('after an edit, readers get the new text', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await expect(page.getByText('You are editing a published post.')).toBeVisible();
    await page.getByLabel('Title').fill('Betty takes every shift');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(`/blog/${slug}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Betty takes every shift');

    await reader.goto(`/blog/${slug}`);
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Betty takes every shift');
  });

  await test.step('after unpublishing, readers do not find it', async () => {
    await page.getByRole('button', { name: 'Unpublish' }).click();
    await expect(page.getByText('Post unpublished')).toBeVisible();
    expect(existsSync(file)).toBe(false);
    await reader.goto(`/blog/${slug}`);
    await expect(reader.getByRole('heading', { name: 'Blog post not found' })).toBeVisible();
    await reader.goto('/blog');
    await expect(reader.getByRole('link', { name: 'Betty takes every shift' })).toHaveCount(0);
  });

  await test.step('after deletion, its author does not find it, either', async () => {
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete post' }).click();
    await page.waitForURL('/blog');
    await page.goto(`/blog/${slug}`);
    await expect(page.getByRole('heading', { name: 'Blog post not found' })).toBeVisible();
  });
});

test('another author’s draft is a 404, on its page and in the editor', { tag: '@full' }, async ({
  page,
  site,
  email,
  newVisitor,
  pageErrors,
}) => {
  const slug = `plan-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await page.request.post('/api/posts', {
    headers: { Origin: site.url },
    data: { title: 'Secret plan', slug, content: 'Nobody knows.' },
  });
  const other = await newVisitor();
  await signInNewUser(other, site, `other-${email}`);

  pageErrors.expect(/status of 404/, `/blog/${slug}`);
  await other.goto(`/blog/${slug}`);
  await expect(other.getByText('Nobody knows.')).toHaveCount(0);
  pageErrors.expect(/status of 404/, `/blog/editor/${slug}`);
  await other.goto(`/blog/editor/${slug}`);
  await expect(other.getByRole('heading', { name: 'Blog post not found' })).toBeVisible();
  await expect(other.getByText('Secret plan')).toHaveCount(0);
});
