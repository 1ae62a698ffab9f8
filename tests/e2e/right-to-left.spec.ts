import type { Locator } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { findings } from '../support/axe.ts';
import { contactForm } from '../support/contact-form.ts';
import { waitForEmail } from '../support/mailbox.ts';
import { contentEditor } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

const title = 'كيف تختار سباكًا جيدًا';
const content = [
  'السباك الجيد يرد على الهاتف.',
  '## ما تسأل عنه',
  '- السعر\n- الموعد',
  '| السؤال | الجواب |\n|---|---|\n| متى؟ | غدًا |',
  'A paragraph in English.',
].join('\n\n');

const expectDirection = (locator: Locator, direction: 'ltr' | 'rtl'): Promise<void> =>
  expect(locator, String(locator)).toHaveCSS('direction', direction);

test('a post in Arabic gets a slug, and is laid out from right to left', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.request.patch('/api/profile', {
    data: { fullName: 'محمد علي' },
    headers: { Origin: site.url },
  });
  await page.goto('/blog/editor');
  await page.getByLabel('Title').fill(title);
  await contentEditor(page).fill(content);
  await expectDirection(page.getByLabel('Title'), 'rtl');
  await page.getByText('Draft', { exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('/blog/kyf-tkhtr-sbk-jyd');
  const body = page.locator('.post-body');
  for (const [locator, direction] of [
    [page.getByRole('heading', { level: 1 }), 'rtl'],
    [page.locator('.byline .author'), 'rtl'],
    [body.locator('p').first(), 'rtl'],
    [body.locator('h2'), 'rtl'],
    [body.locator('ul'), 'rtl'],
    [body.locator('table'), 'rtl'],
    [body.locator('p').last(), 'ltr'],
  ] as const) {
    await expectDirection(locator, direction);
  }
  expect(await findings(page, 'a post in Arabic')).toEqual([]);

  await page.goto('/blog');
  const card = page.getByRole('article').filter({ hasText: title });
  await expectDirection(card.getByRole('heading'), 'rtl');
  await expectDirection(card.locator('.excerpt'), 'rtl');
});

test('form fields and their email follow the direction of the typed text', {
  tag: '@full',
}, async ({ page, site, email }) => {
  const { field, send, shown } = contactForm(page);
  await page.goto('/contact');
  await field('Full Name').fill('محمد علي');
  await field('Email').fill(email);
  await field('Message').fill('الهاتف يرن.');
  await expectDirection(field('Full Name'), 'rtl');
  await expectDirection(field('Message'), 'rtl');
  await expectDirection(field('Email'), 'ltr');
  await send.click();
  await expect(shown('Message sent!')).toBeVisible();

  const sentEmail = await waitForEmail(
    site.dataDir,
    ({ replyTo }) => replyTo?.[0]?.address === email,
  );
  expect(sentEmail.html).toMatch(/<p dir="auto"[^>]*>الهاتف يرن\./);
  expect(sentEmail.html).toMatch(/<p dir="auto"[^>]*>محمد علي</);
});

test('a wrapped byline shows no dot at either end', { tag: '@full' }, async ({ page }) => {
  await page.goto('/blog');
  const byline = page.locator('.byline').first();
  for (const [width, isOneLine] of [
    ['30rem', true],
    ['8rem', false],
  ] as const) {
    const { dot, clip, sameLine } = await byline.evaluate((element, wide) => {
      element.style.width = wide;
      const author = element.querySelector('.writer');
      const time = element.querySelector('time');
      if (!author || !time) throw new Error('the byline has no author or no date');
      const drawn = getComputedStyle(time, '::before');
      const [, cutOff = '0'] =
        /^inset\(0px 0px 0px ([\d.]+)px\)$/.exec(getComputedStyle(element).clipPath) ?? [];
      return {
        dot:
          time.getBoundingClientRect().left +
          Number.parseFloat(drawn.left) +
          Number.parseFloat(drawn.width) / 2,
        clip: element.getBoundingClientRect().left + Number(cutOff),
        sameLine:
          Math.abs(time.getBoundingClientRect().top - author.getBoundingClientRect().top) < 12,
      };
    }, width);
    expect([width, sameLine]).toEqual([width, isOneLine]);
    // On one line the dot is between both parts; otherwise it is clipped.
    expect([width, dot > clip]).toEqual([width, isOneLine]);
  }
});
