import { problems } from '@app/contract/problems';
import { expect, test } from '../support/site-test.ts';

test('the type of a problem is the URL of its explanation, which needs no JavaScript', async ({
  newVisitor,
}) => {
  const page = await newVisitor({ javaScriptEnabled: false });
  const response = await page.request.get('/api/posts/no-such-post');
  const { type } = (await response.json()) as { type: string };

  await page.goto(type);
  await expect(page.locator(':target')).toHaveText(`not_found ${problems.not_found.status}`);
  await expect(page.locator(':target + dd')).toBeVisible();
});

test('the interactive reference lists the endpoints and their responses', { tag: '@full' }, async ({
  page,
}) => {
  await page.goto('/api/docs');
  await page.getByRole('link', { name: 'Interactive reference' }).click();

  const operation = page.locator('#operations-posts-getApiPosts');
  await operation.getByRole('button', { name: /List posts/ }).click();
  await expect(operation).toContainText('nextCursor');
});
