import { expect, test } from '../support/site-test.ts';

test('the portfolio has three works, of which one can be opened', async ({ page }) => {
  await page.goto('/portfolio');
  const main = page.getByRole('main');
  await expect(
    main.getByRole('heading', { level: 1, name: 'Our Website Portfolio' }),
  ).toBeVisible();

  const works = main.getByRole('article');
  await expect(works).toHaveCount(3);
  for (const [index, name, tags] of [
    [0, 'Home Service Website', ['React', 'Tailwind']],
    [1, 'Betty AI Assistant', ['React', 'AI']],
    [2, 'Contractor Hub', ['React', 'Stripe']],
  ] as const) {
    const work = works.nth(index);
    await expect(work.getByRole('heading', { name })).toBeVisible();
    await expect(work.getByRole('list', { name: 'Made with' }).getByRole('listitem')).toHaveText(
      tags,
    );
    await expect(work.getByText('Coming Soon', { exact: true })).toHaveCount(index === 0 ? 0 : 1);
    await expect(work.getByRole('link')).toHaveCount(index === 0 ? 1 : 0);
  }
  await expect(works.first().getByRole('link')).toHaveAttribute(
    'href',
    'https://demo.fieldlight.example',
  );

  await main.getByRole('link', { name: 'Contact Us' }).click();
  await expect(page).toHaveURL('/contact');
});
