import { expect, test } from '../support/site-test.ts';

test('technical recruiting shows its services, its figures and the way to a consultation', async ({
  page,
}) => {
  await page.goto('/technical-recruiting');
  const main = page.getByRole('main');

  for (const name of [
    'Talent pipeline development',
    'Technical assessment collaboration',
    'Strategic recruiting consulting',
    'Testimonials coming soon',
  ]) {
    await expect(main.getByRole('heading', { name, exact: true })).toBeVisible();
  }

  const results = main.getByRole('figure', { name: '10+ startups helped' });
  for (const result of [
    /150\+\s+talent pipeline/,
    /40%\s+passive response increase/,
    /under\s+14 days\s+time-to-offer/,
    /15\+\s+positions filled in 10 months/,
    /35%\s+time-to-hire reduction/,
  ]) {
    await expect(results).toContainText(result);
  }

  const consult = main.getByRole('link', { name: 'Schedule a free 30-minute consultation' });
  await expect(consult).toHaveCount(2);
  await consult.last().click();
  await expect(page).toHaveURL('/contact');
});

test('search engines are told that recruiting is a service', async ({ page }) => {
  await page.goto('/technical-recruiting');
  const graph = await page.locator('script[type="application/ld+json"]').textContent();
  expect(JSON.parse(graph ?? '')['@graph']).toContainEqual(
    expect.objectContaining({ '@type': 'Service', name: 'Technical recruiting' }),
  );
});
