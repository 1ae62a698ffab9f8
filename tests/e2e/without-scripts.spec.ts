import { join } from 'node:path';
import { open } from '@app/db/open';
import { waitForConfirmationLink, waitForMail } from '../support/mailbox.ts';
import { expect, password, test } from '../support/site-test.ts';

test.use({ javaScriptEnabled: false });

test('the contact form is sent, and says so', async ({ page, site, email }) => {
  await page.goto('/contact');
  await page.getByRole('textbox', { name: 'Full Name' }).fill('Nora Noscript');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('What is it about?').selectOption('website');
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.getByRole('button', { name: 'Send message' }).click();

  await page.waitForURL('/contact#sent');
  await expect(page.getByText('Message sent!')).toBeVisible();
  const { $client: client } = open(join(site.dataDir, 'site.db'));
  const rows = client
    .prepare('SELECT name, service FROM contact_submissions WHERE email = ?')
    .all(email);
  client.close();
  expect(rows).toEqual([{ name: 'Nora Noscript', service: 'website' }]);
  await waitForMail(site.dataDir, ({ replyTo }) => replyTo?.[0]?.address === email);
});

test('before anything is sent, no notice shows', async ({ page }) => {
  for (const path of ['/contact', '/auth', '/blog/editor']) {
    await page.goto(path);
    await expect(page.getByRole('alert').filter({ visible: true })).toHaveCount(0);
    await expect(page.getByRole('status').filter({ visible: true })).toHaveCount(0);
  }
});

test('sign up, confirm, write, publish, edit and sign in again', async ({
  page,
  site,
  email,
  newVisitor,
  complaints,
}) => {
  // Many steps, on a machine that may be busy.
  test.slow();
  const slug = `plain-${email.slice(4, 12)}`;

  await test.step('sign up and confirm', async () => {
    await page.goto('/auth#sign-up');
    const panel = page.getByRole('tabpanel', { name: 'Sign Up' });
    await panel.getByLabel('Email').fill(email);
    await panel.getByLabel('Password').fill(password);
    await panel.getByRole('button', { name: 'Sign Up' }).click();
    await page.waitForURL('/auth#signed-up');
    await expect(page.getByText('Registration successful!')).toBeVisible();
    await page.goto(await waitForConfirmationLink(site.dataDir, email));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('/blog');
  });

  await test.step('write a draft', async () => {
    await page.goto('/blog/editor');
    await page.getByLabel('Title').fill('Written without scripts');
    await page.getByLabel('URL Slug').fill(slug);
    await page.getByRole('textbox', { name: 'Content' }).fill('Plain text.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(`/blog/${slug}`);
    await expect(page.getByText('Draft', { exact: true })).toBeVisible();
  });

  await test.step('publish it', async () => {
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.waitForURL(`/blog/${slug}`);
    const reader = await newVisitor();
    await reader.goto(`/blog/${slug}`);
    await expect(reader.getByText('Plain text.')).toBeVisible();
  });

  await test.step('edit it back to a draft, and delete it', async () => {
    await page.goto(`/blog/editor/${slug}`);
    await expect(page.getByRole('textbox', { name: 'Content' })).toHaveValue('Plain text.');
    await page.getByRole('switch').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(`/blog/${slug}`);
    await expect(page.getByText('Draft', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete post' }).click();
    await page.waitForURL('/blog');
    complaints.expect(/status of 404/, `/blog/${slug}`);
    await page.goto(`/blog/${slug}`);
  });

  await test.step('sign in, wrong and right', async () => {
    const other = await newVisitor({ javaScriptEnabled: false });
    await other.goto('/auth');
    const panel = other.getByRole('tabpanel', { name: 'Sign In' });
    const signIn = async (secret: string) => {
      await panel.getByLabel('Email').fill(email);
      await panel.getByLabel('Password').fill(secret);
      await panel.getByRole('button', { name: 'Sign In' }).click();
    };
    await signIn('wrong password');
    await other.waitForURL('/auth#invalid-credentials');
    await expect(other.getByText('The email or the password is not right.')).toBeVisible();
    await signIn(password);
    await other.waitForURL('/blog');
  });
});
