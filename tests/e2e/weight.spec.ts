import { overBudget, weigh } from '../pages/weight.ts';
import { expect, samplePages, test } from '../support/pages-test.ts';

test('no page is over its budget', async ({ pages, newVisitor, site, pageErrors }) => {
  test.setTimeout(pages.length * 10_000);
  const over: string[] = [];
  for (const { path } of samplePages(pages, pageErrors, 6)) {
    const page = await newVisitor({ reducedMotion: 'no-preference' });
    over.push(...overBudget(path, await weigh(page, site.url + path)));
    await page.context().close();
  }
  expect(over).toEqual([]);
});
