import { company } from '@app/site/company';
import { password, signInNewUser } from '../support/account.ts';
import { authForms } from '../support/auth-forms.ts';
import { contentEditor } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

const { mailboxes } = company;

const legalPages = [
  {
    path: '/privacy-policy',
    title: 'Privacy Policy',
    mailbox: mailboxes.privacy,
    sections: [
      ['introduction', '1. Introduction'],
      ['information-we-collect', '2. Information we collect'],
      ['how-we-use-information', '3. How we use information'],
      ['security', '4. Security'],
      ['contact', '5. Contact us'],
    ],
  },
  {
    path: '/terms',
    title: 'Terms of Service',
    mailbox: mailboxes.legal,
    sections: [
      ['agreement', '1. Agreement to these terms'],
      ['intellectual-property', '2. Intellectual property'],
      ['user-representations', '3. User representations'],
      ['limitation-of-liability', '4. Limitation of liability'],
      ['contact', '5. Contact us'],
    ],
  },
  {
    path: '/cookies',
    title: 'Cookie Policy',
    mailbox: mailboxes.privacy,
    sections: [
      ['what-cookies-are', '1. What cookies are'],
      ['how-we-use-cookies', '2. How we use cookies'],
      ['managing-cookies', '3. Managing cookies'],
      ['third-party-cookies', '4. Third-party cookies'],
      ['contact', '5. Contact us'],
    ],
  },
] as const;

test('legal pages list their five numbered sections, and show their date and mailbox', async ({
  page,
}) => {
  for (const { path, title, mailbox, sections } of legalPages) {
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(main.getByRole('heading', { level: 2 })).toHaveText(
      sections.map(([, name]) => name),
    );
    await expect(main.getByText('Last updated June 15, 2025')).toBeVisible();
    await expect(main.locator('#contact ~ p').getByRole('link', { name: mailbox })).toHaveAttribute(
      'href',
      `mailto:${mailbox}`,
    );

    const contents = page.getByRole('navigation', { name: 'On this page' });
    await expect(contents.getByRole('link')).toHaveText(sections.map(([, name]) => name));
    for (const [id, name] of sections) {
      await expect(contents.locator(`a[href="#${id}"]`)).toHaveText(name);
      await expect(page.locator(`h2[id="${id}"]`)).toHaveText(name);
    }
  }
});

test('the cookie policy names everything the site stores in a browser', async ({
  page,
  site,
  email,
}) => {
  await page.goto('/cookies');
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  const rows = page.getByRole('table').getByRole('rowheader');
  const listed = (await rows.allTextContents()).filter((name) => !/google/.test(name));

  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();

  // Some entries are removed immediately, so they are also read when a page starts.
  const stored = new Set<string>();
  const add = (names: string[]) => {
    for (const name of names) stored.add(name.replace(/^draft:.*/, 'draft:…'));
  };
  const readNames = async () => {
    const names = await page.evaluate(async () => [
      ...[localStorage, sessionStorage].flatMap(Object.keys),
      ...(await indexedDB.databases()).map(({ name = '' }) => name),
    ]);
    add(names);
    return [...stored];
  };
  await page.exposeFunction('addStored', add);
  await page.addInitScript(() => {
    const { addStored } = window as unknown as { addStored(names: string[]): void };
    addStored(Object.keys(sessionStorage));
  });
  await signInNewUser(page, site, email);
  await page.context().clearCookies();
  await page.goto('/auth');
  const { signIn, hydrated } = authForms(page);
  await signIn.email.focus();
  await hydrated();
  await signIn.send(email, password);
  await page.waitForURL('/blog');
  await page.goto('/contact');
  await page.getByLabel('Full Name').fill('Vera');
  await expect.poll(readNames).toContain('draft:…');
  await page.goto('/blog/editor');
  await contentEditor(page).click();
  await page.keyboard.insertText('Unsaved');
  await expect.poll(readNames).toContain('unsaved-text');
  const set = (await page.context().cookies()).map(({ name }) =>
    // Browsers accept the prefix only over https.
    ['session', 'device'].includes(name) ? `__Host-${name}` : name,
  );
  expect(listed.sort()).toEqual([...set, ...stored].sort());
});

test('the sitemap lists pages by group, and external links', async ({ page, site }) => {
  await page.goto('/sitemap');
  const groups = page.getByRole('main').getByRole('region');
  await expect(groups).toHaveCount(4);
  const listed = groups.getByRole('listitem').locator('> a');
  const urls = await listed.evaluateAll((links) =>
    links.map((link) => link.getAttribute('href') ?? ''),
  );
  for (const path of urls.filter((url) => url.startsWith('/'))) {
    expect([path, (await page.request.get(site.url + path)).status()]).toEqual([path, 200]);
  }
  expect(urls.filter((url) => !url.startsWith('/'))).toEqual([
    company.bookingUrl,
    ...company.social.map(({ href }) => href),
  ]);
  await expect(groups.nth(1).getByRole('link', { name: 'Sign In' })).toHaveAttribute(
    'href',
    '/auth',
  );
});
