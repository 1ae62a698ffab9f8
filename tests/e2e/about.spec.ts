import { expect, test } from '../support/site-test.ts';

test('three steps, nine principles, and a way to get in touch', async ({ page }) => {
  await page.goto('/about');
  const main = page.getByRole('main');
  await expect(main.getByText('founded in 2024')).toBeVisible();
  for (const step of ['Understand', 'Customize', 'Implement']) {
    await expect(main.getByRole('heading', { name: step, exact: true })).toBeVisible();
  }
  const principles = main
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Our nine guiding principles' }) });
  await expect(principles.getByRole('listitem')).toHaveCount(9);
  await expect(main.getByRole('heading', { name: 'AI philosophy' })).toBeVisible();

  await main.getByRole('link', { name: 'Contact Us' }).click();
  await expect(page).toHaveURL('/contact');
});
