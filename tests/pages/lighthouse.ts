// `pnpm lighthouse [path…] [--runs 3]`: runs Lighthouse on every page of the built site as a phone
// on a slow network. Prints medians of the runs; exit code 1 if a page misses a target.
import { parseArgs } from 'node:util';
import { freePort } from '@app/db/testing/free-port';
import lighthouse, { type Result } from 'lighthouse';
import type { SitePage } from '../support/pages.ts';
import { median } from '../support/percentile.ts';
import { table } from './table.ts';
import { onBuiltSite } from './tool.ts';

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** Largest contentful paint, in milliseconds. */
const largestPaint = 1_200;
const layoutShift = 0;

/**
 * Audits that a page fails on purpose. A page that search engines must leave out cannot be indexed.
 * The page for missing paths responds with 404, which the browser logs as an error. Browser tests
 * find other errors in the console.
 */
const skippedAudits = ({ isIndexable, status }: SitePage): string[] => [
  ...(isIndexable ? [] : ['is-crawlable']),
  ...(status === 200 ? [] : ['http-status-code', 'errors-in-console']),
];

const { values: options, positionals: paths } = parseArgs({
  options: { runs: { type: 'string', default: '3' } },
  allowPositionals: true,
});

const measured = ({ audits }: Result, id: string): number => audits[id]?.numericValue ?? Number.NaN;

function causes({ audits, categories: found }: Result): string[] {
  return categories.flatMap((category) =>
    (found[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => {
        const { title = '', displayValue = '', details } = audits[id] ?? {};
        const elements = [
          ...JSON.stringify(details ?? null).matchAll(/"snippet":("(?:[^"\\]|\\.)*")/g),
        ]
          .slice(0, 3)
          .map(([, text = '""']) => JSON.parse(text));
        return [`${category}: ${title} (${id})`, displayValue, ...elements].join(' ').trim();
      }),
  );
}

const port = await freePort();
await onBuiltSite(
  paths,
  async ({ site, pages }) => {
    const rows: string[][] = [['page', ...categories, 'largest paint', 'layout shift', 'blocked']];
    const speeds: number[] = [];
    for (const page of pages) {
      const { path, isIndexable } = page;
      const results: Result[] = [];
      for (let run = 0; run < Number(options.runs); run += 1) {
        const found = await lighthouse(site.url + path, {
          port,
          logLevel: 'error',
          onlyCategories: [...categories],
          skipAudits: skippedAudits(page),
          // Lighthouse aborts on status 404 by default.
          ignoreStatusCode: true,
          disableFullPageScreenshot: true,
        });
        if (!found) throw new Error(`Lighthouse returned no result for ${path}`);
        const { runtimeError } = found.lhr;
        if (runtimeError) throw new Error(`${path}: ${runtimeError.message}`);
        results.push(found.lhr);
      }
      speeds.push(...results.map(({ environment }) => environment.benchmarkIndex));
      const scores = categories.map((category) =>
        Math.round(100 * median(results.map((one) => one.categories[category]?.score ?? 0))),
      );
      const paint = median(results.map((one) => measured(one, 'largest-contentful-paint')));
      const shift = median(results.map((one) => measured(one, 'cumulative-layout-shift')));
      const blocked = median(results.map((one) => measured(one, 'total-blocking-time')));
      const isMissed =
        scores.some((score) => score < 100) || paint > largestPaint || shift > layoutShift;
      rows.push([
        `${path}${isIndexable ? '' : ' (not for search engines)'}`,
        ...scores.map(String),
        `${(paint / 1_000).toFixed(2)} s`,
        shift.toFixed(3),
        `${blocked.toFixed(0)} ms`,
      ]);
      if (!isMissed) continue;
      process.exitCode = 1;
      for (const cause of new Set(results.flatMap(causes))) console.error(`${path}: ${cause}`);
    }
    console.log(table(rows));
    // Below about 1,000, Lighthouse's figures reflect the machine instead of the page.
    const [slowest, fastest] = [Math.min(...speeds), Math.max(...speeds)].map(Math.round);
    console.log(`\nThis machine’s benchmark index: ${slowest} to ${fastest}`);
  },
  [`--remote-debugging-port=${port}`],
);
