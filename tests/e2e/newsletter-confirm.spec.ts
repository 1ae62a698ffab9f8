import type { Page } from 'playwright/test';
import { pressHydrated } from '../support/hydrated.ts';
import { waitForLink } from '../support/mailbox.ts';
import { expect, test } from '../support/site-test.ts';

async function subscribe(page: Page, path: string, email: string): Promise<void> {
  await page.goto(path);
  const footer = page.getByRole('contentinfo');
  await footer.getByRole('textbox', { name: 'Newsletter' }).fill(email);
  await pressHydrated(footer.getByRole('button', { name: 'Subscribe', exact: true }));
  const notice = footer.getByText('Subscription successful', { exact: true });
  await expect(notice.filter({ visible: true })).toBeVisible();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('subscribes and unsubscribes with the buttons on the pages that emails link to', {
      tag: javaScriptEnabled ? '@full' : [],
    }, async ({ page, site, email }) => {
      await subscribe(page, '/about', email);
      const question = await waitForLink(site.dataDir, email, '/newsletter/confirm');
      await page.goto(question.link);
      await expect(heading(page, 'Want our newsletter?')).toBeVisible();
      await page.getByRole('button', { name: 'Yes, put me on the list' }).click();
      await page.waitForURL('/newsletter/confirmed');
      await expect(heading(page, "You're on the list")).toBeVisible();

      await page.goto(question.link);
      await page.waitForURL('/newsletter/confirmed');

      const welcome = await waitForLink(site.dataDir, email, '/newsletter/unsubscribe');
      const headers = Object.fromEntries(
        welcome.email.headers.map(({ key, value }) => [key, value]),
      );
      const token = new URL(welcome.link).searchParams.get('token');
      expect(headers).toMatchObject({
        'list-unsubscribe': `<${site.url}/api/newsletter/unsubscribe?token=${token}>`,
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      });
      await page.goto(welcome.link);
      await expect(heading(page, 'Stop the newsletter?')).toBeVisible();
      const main = page.getByRole('main');
      await main.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.waitForURL('/newsletter/unsubscribed');
      await expect(heading(page, "You're off the list")).toBeVisible();

      await page.goto(question.link);
      await page.waitForURL('/newsletter/dead-link');
      await expect(heading(page, 'This link no longer works')).toBeVisible();
    });
  });
}

test('one-click unsubscribe works with the URL in the email’s header', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await subscribe(page, '/', email);
  await page.goto((await waitForLink(site.dataDir, email, '/newsletter/confirm')).link);
  await page.getByRole('button', { name: 'Yes, put me on the list' }).click();
  await page.waitForURL('/newsletter/confirmed');

  const { email: sentEmail } = await waitForLink(site.dataDir, email, '/newsletter/unsubscribe');
  const header = sentEmail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const response = await fetch(header.slice(1, -1), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
    redirect: 'error',
  });
  expect(response.status).toBe(200);

  await subscribe(page, '/', email);
});

test('invalid links show what to do instead', { tag: '@full' }, async ({ page }) => {
  await page.goto('/newsletter/confirm?token=forged');
  await page.waitForURL('/newsletter/dead-link');
  await page.getByRole('link', { name: 'Subscribe again' }).click();
  await expect(page.getByRole('textbox', { name: 'Newsletter' })).toBeFocused();

  await page.goto('/newsletter/unsubscribe?token=forged');
  await page.waitForURL('/newsletter/unknown-link');
  await expect(page.getByRole('main').getByRole('link', { name: 'Write to us' })).toHaveAttribute(
    'href',
    /^mailto:/,
  );
});
