// `pnpm weigh [path…] [--markdown]`: compares the weight of every page of the built site, in bytes
// as served with Brotli, with its budgets. Exit code 1 if one is exceeded.
import { parseArgs } from 'node:util';
import { table } from './table.ts';
import { onBuiltSite } from './tool.ts';
import { budgets, overBudget, type Weight, weigh } from './weight.ts';

const { values: options, positionals: paths } = parseArgs({
  options: { markdown: { type: 'boolean', default: false } },
  allowPositionals: true,
});

/** What a visit loads can depend on the width. */
const viewports = [
  { width: 360, height: 740 },
  { width: 1_280, height: 800 },
];

const bytes = (count: number, budget: number): string => {
  const text = count.toLocaleString('en-US');
  return count > budget && !options.markdown ? `${text} !` : text;
};

await onBuiltSite(paths, async ({ browser, site, pages }) => {
  const rows: string[][] = [['page', 'HTML + CSS', 'JavaScript', 'React', 'first visit']];
  const violations: string[] = [];
  for (const { path } of pages) {
    const weights: Weight[] = [];
    for (const viewport of viewports) {
      const page = await browser.newPage({ viewport });
      weights.push(await weigh(page, site.url + path));
      await page.close();
    }
    const worst: Weight = {
      htmlAndCss: Math.max(...weights.map(({ htmlAndCss }) => htmlAndCss)),
      script: Math.max(...weights.map(({ script }) => script)),
      hasReact: weights.some(({ hasReact }) => hasReact),
      visit: Math.max(...weights.map(({ visit }) => visit)),
      fonts: Math.max(...weights.map(({ fonts }) => fonts)),
    };
    violations.push(...overBudget(path, worst));
    rows.push([
      path,
      bytes(worst.htmlAndCss, budgets.htmlAndCss),
      bytes(worst.script, budgets.script),
      worst.hasReact ? 'yes !' : 'no',
      bytes(worst.visit, budgets.visit),
    ]);
  }
  const budget = (count: number): string => `≤ ${count.toLocaleString('en-US')}`;
  rows.push([
    'budget',
    budget(budgets.htmlAndCss),
    budget(budgets.script),
    'no',
    budget(budgets.visit),
  ]);
  console.log(table(rows));
  if (violations.length > 0) process.exitCode = 1;
  for (const violation of violations) console.error(violation);
});
