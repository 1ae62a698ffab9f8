import { expect, test } from '../support/site-test.ts';

test('recruiting has structured data of a service', async ({ page }) => {
  await page.goto('/technical-recruiting');
  const graph = await page.locator('script[type="application/ld+json"]').textContent();
  expect(JSON.parse(graph ?? '')['@graph']).toContainEqual(
    expect.objectContaining({ '@type': 'Service', name: 'Technical recruiting' }),
  );
});
