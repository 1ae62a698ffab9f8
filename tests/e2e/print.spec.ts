import { expect, test } from '../support/site-test.ts';

test.use({ colorScheme: 'dark' });

test('prints black on white without controls, with all answers and the URLs of external links', async ({
  page,
}) => {
  await page.goto('/contact');
  await page.emulateMedia({ media: 'print' });
  const root = page.locator('html');
  await expect(root).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(root).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('navigation').filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('button').filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await page.emulateMedia({ media: 'screen' });
  await page.goto('/accessibility');
  const answers = page.locator('details p');
  await expect(answers).toHaveCount(4);
  await expect(answers.filter({ visible: true })).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(answers.filter({ visible: true })).toHaveCount(4);

  await page.goto('/sitemap');
  const link = page.getByRole('main').getByRole('link', { name: 'GitHub' });
  const url = await link.getAttribute('href');
  await expect(link).toHaveCSS('content', `" (${url})"`, { pseudo: 'after' });
});

test('prints no backgrounds and no unfinished animations, and the footer below the content', async ({
  page,
}) => {
  await page.goto('/');
  await page.emulateMedia({ media: 'print' });
  const dark = page.getByRole('main').locator('.bg-accent, .bg-lamplight, .bg-primary');
  await expect(dark.first()).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  const looks = await dark.evaluateAll((elements) =>
    elements.map((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return `${color} on ${backgroundColor}`;
    }),
  );
  expect(new Set(looks)).toEqual(new Set(['rgb(0, 0, 0) on rgba(0, 0, 0, 0)']));
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  const lastLink = await page.getByRole('main').getByRole('link').last().boundingBox();
  const footer = await page.getByRole('contentinfo').boundingBox();
  expect((lastLink?.y ?? 0) + (lastLink?.height ?? 0)).toBeLessThan(footer?.y ?? 0);
});
