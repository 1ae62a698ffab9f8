import { expect, test } from '../support/site-test.ts';

test('shows four questions, one open at a time, and a link to the form', async ({ page }) => {
  await page.goto('/contact');
  const questions = page.getByRole('main').locator('details');
  await expect(questions).toHaveCount(4);
  const [first, second] = [questions.nth(0), questions.nth(1)];
  await first.locator('summary').click();
  await second.locator('summary').click();
  await expect(first).not.toHaveAttribute('open');
  await expect(second).toHaveAttribute('open');
  await second.locator('summary').click();
  await expect(second).not.toHaveAttribute('open');

  await page.getByRole('link', { name: 'Have more questions? Contact us directly' }).click();
  await expect(page.getByRole('heading', { name: 'Send a message' })).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: 'Full Name' })).toBeFocused();
});
