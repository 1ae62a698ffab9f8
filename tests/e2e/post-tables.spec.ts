import type { Locator } from 'playwright/test';
import sharp from 'sharp';
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

test('on a phone, short columns are narrow, and shadows show that there is more @phone-only @phone', async ({
  page,
  site,
  email,
}) => {
  const slug = `narrow-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  const short = '| # | Day | Open | From | To |\n|-|-|-|-|-|\n| 1 | Mon | yes | 8 | 17 |';
  const content = `${short}\n\n${tableOf(14)}\n\n\`\`\`\n${'code '.repeat(40)}\n\`\`\``;
  const data = { title: 'Narrow', content, slug, published: true };
  await page.request.post('/api/posts', { headers: { Origin: site.url }, data });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`/blog/${slug}`);
    const [fits, scrolls] = [0, 1].map((index) => page.locator('.table-frame').nth(index));
    const code = page.locator('.post-body pre');
    for (const [frame, isShadowed] of [
      [fits, [false, false]],
      [scrolls, [false, true]],
      [code, [false, true]],
    ] as const) {
      expect(await shadowsOf(frame), colorScheme).toEqual(isShadowed);
    }
    for (const frame of [scrolls, code]) {
      await frame?.evaluate((element) => element.scrollTo(60, 0));
      expect(await shadowsOf(frame), colorScheme).toEqual([true, true]);
      await frame?.evaluate((element) => element.scrollTo(element.scrollWidth, 0));
      expect(await shadowsOf(frame), colorScheme).toEqual([true, false]);
    }
  }
});

/** Whether the left and the right edge of an element have another color than its middle. */
async function shadowsOf(frame: Locator | undefined): Promise<boolean[]> {
  const picture = await frame?.screenshot();
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  // Between the upper edge and the text.
  const row = 10;
  const at = (x: number) => [...data.subarray((row * info.width + x) * 3).subarray(0, 3)];
  const middle = at(Math.round(info.width / 2));
  return [2, info.width - 3].map((x) =>
    at(x).some((value, channel) => Math.abs(value - (middle[channel] ?? 0)) > 20),
  );
}
