import { signInNewUser } from '../support/account.ts';
import { expectToFit } from '../support/layout.ts';
import { expect, test } from '../support/site-test.ts';

const tableOf = (columns: number): string =>
  ['Hour', '---', '8'].map((cell) => `|${` ${cell} |`.repeat(columns)}`).join('\n');

test('on a phone, a small table fits, and a large one scrolls in its frame @phone-only @phone', async ({
  page,
  site,
  email,
}) => {
  const slug = `tables-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  const content = `${tableOf(2)}\n\n${tableOf(9)}`;
  const data = { title: 'Tables', content, slug, published: true };
  await page.request.post('/api/posts', { headers: { Origin: site.url }, data });
  await page.goto(`/blog/${slug}`);
  const scrolls = () =>
    page
      .locator('.table-frame')
      .evaluateAll((frames) => frames.map((frame) => frame.scrollWidth > frame.clientWidth));
  await expect.poll(scrolls).toEqual([false, true]);
  await expectToFit(page);
});
