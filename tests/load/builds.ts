import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { percentile } from '../support/percentile.ts';
import { SiteProcess } from '../support/site-process.ts';
import { editPost, measureGenerator, type Times } from './generator-times.ts';
import { astro } from './peers/astro.ts';
import { eleventy } from './peers/eleventy.ts';
import { hugo } from './peers/hugo.ts';
import { type Comparison, comparison, ms, notMeasured, type Row, seconds } from './row.ts';
import { seed } from './seed.ts';

const edits = 20;

/**
 * Measures how long static site generators take to build a blog of the same posts, and to rebuild
 * it after one change: authors of such a site wait for a build.
 */
export async function* measureBuilds(folder: string): AsyncGenerator<Row> {
  for (const posts of [1_000, 10_000]) {
    const own = await ownTimes(join(folder, `site-${posts}`), posts);
    const all: Comparison[] = [];
    const edited: Comparison[] = [];
    for (const generator of [hugo, eleventy, astro]) {
      const site = join(folder, `${generator.name}-${posts}`);
      try {
        const times = await measureGenerator(generator, site, posts);
        all.push(comparison(times.name, own.all, times.all, seconds));
        edited.push(...editComparisons(own.edit, times));
      } catch (error) {
        const problem = (error as Error).message.slice(0, 300);
        all.push(notMeasured(generator.name, problem));
        console.error(`  ${generator.name}: ${(error as Error).message}`);
      }
      rmSync(site, { recursive: true, force: true });
    }
    const count = posts.toLocaleString('en-US');
    yield {
      what: `all pages of ${count} posts, from process start`,
      measured: seconds(own.all),
      comparisons: all,
    };
    yield {
      what: 'the same again, with stored bodies, as for a new build of the site',
      measured: seconds(own.again),
    };
    yield {
      what: `a change of one of ${count} posts, until its new page is available`,
      measured: ms(own.edit),
      comparisons: edited,
    };
  }
}

const editComparisons = (own: number, { name, edit, watch }: Times): Comparison[] => [
  comparison(`${name}, build`, own, edit, ms),
  ...(watch ? [comparison(watch.name, own, watch.edit, ms)] : []),
];

/** In milliseconds. */
async function ownTimes(
  dataDir: string,
  posts: number,
): Promise<Record<'all' | 'again' | 'edit', number>> {
  seed(dataDir, posts);
  const [first, all] = await renderAll(dataDir);
  const times: number[] = [];
  for (let n = 0; n < edits; n += 1) times.push(await editPost(first, n % posts));
  await first.stop();
  // Another port changes PUBLIC_URL, so all pages are rendered again.
  const [second, again] = await renderAll(dataDir);
  await second.stop();
  return { all, again, edit: percentile(times, 50) };
}

async function renderAll(dataDir: string): Promise<[site: SiteProcess, milliseconds: number]> {
  const began = performance.now();
  const site = await SiteProcess.launch({ dataDir });
  await site.logged('republished all pages');
  const milliseconds = performance.now() - began;
  await site.ready;
  return [site, milliseconds];
}
