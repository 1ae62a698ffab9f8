import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../support/percentile.ts';
import type { SiteProcess } from '../support/site-process.ts';
import { type GeneratedSite, postFile, type SiteGenerator } from './peers/site-generator.ts';
import { seededPost, writerHeaders } from './seed.ts';

const watchedEdits = 5;
const watchSeconds = 60;

/** In milliseconds. */
export interface Times {
  /** With its version. */
  name: string;
  /** A build of the whole site from scratch. */
  all: number;
  /** From the change of a post to its new page, by another build. */
  edit: number;
  /** The same, by a process that watches the posts. */
  watch?: { name: string; edit: number };
}

/** Returns medians of three builds, or the times of one if there are more than 1,000 posts. */
export async function measureGenerator(
  generator: SiteGenerator,
  folder: string,
  posts: number,
): Promise<Times> {
  const runs = posts > 1_000 ? 1 : 3;
  const all: number[] = [];
  const edit: number[] = [];
  let site = await generator.create(`${folder}-0`, posts);
  for (let run = 1; run <= runs; run += 1) {
    const began = performance.now();
    await site.build();
    all.push(performance.now() - began);
    requireEnd(readFileSync(site.output(posts - 1), 'utf8'), '');
    edit.push(await buildAfterChange(site, run % posts));
    if (run < runs) site = await generator.create(`${folder}-${run}`, posts);
  }
  const times = { name: site.name, all: median(all), edit: median(edit) };
  return site.watch ? { ...times, watch: await watchedChanges(site, posts) } : times;
}

async function buildAfterChange(site: GeneratedSite, n: number): Promise<number> {
  const end = 'Changed before a build.';
  const began = performance.now();
  writeFileSync(site.source(n), postFile(n, end));
  await site.build();
  requireEnd(readFileSync(site.output(n), 'utf8'), end);
  return performance.now() - began;
}

const requireEnd = (page: string, end: string): void => {
  if (!page.includes('And paragraph 5 once more') || !page.includes(end)) {
    throw new Error('a built page lacks the text of its post');
  }
};

async function watchedChanges(
  site: GeneratedSite,
  posts: number,
): Promise<{ name: string; edit: number }> {
  if (!site.watch) throw new Error(`${site.name} has no watch mode`);
  await using watch = await site.watch();
  const change = async (
    n: number,
    end: string,
    again = Number.POSITIVE_INFINITY,
  ): Promise<number> => {
    await watch.read(n);
    const began = performance.now();
    let written = Number.NEGATIVE_INFINITY;
    do {
      const now = performance.now();
      if (now - began > watchSeconds * 1_000) {
        throw new Error(`${watch.name} did not update a page within ${watchSeconds} seconds`);
      }
      if (now - written >= again) {
        writeFileSync(site.source(n), postFile(n, end));
        written = now;
      }
      await pause(2);
    } while (!(await watch.read(n)).includes(end));
    return performance.now() - began;
  };
  // Some generators report that they are watching before they notice changes.
  await change(0, 'The first change.', 2_000);
  const times: number[] = [];
  for (let run = 1; run <= watchedEdits; run += 1) {
    times.push(await change(run % posts, `Changed while watched: ${run}.`));
  }
  return { name: watch.name, edit: median(times) };
}

/** Changes a post of this site, and returns the milliseconds until its new page is served. */
export async function editPost(site: SiteProcess, n: number): Promise<number> {
  const end = `Changed by its author: ${n}.`;
  const content = `${seededPost(n).content}\n\n${end}`;
  const began = performance.now();
  const response = await fetch(`${site.url}/api/posts/post-${n}`, {
    method: 'PATCH',
    headers: writerHeaders(site.url),
    body: JSON.stringify({ content }),
  });
  if (!response.ok) throw new Error(`a change was answered with ${response.status}`);
  await response.arrayBuffer();
  const page = await (await fetch(`${site.url}/blog/post-${n}`)).text();
  requireEnd(page, end);
  return performance.now() - began;
}
