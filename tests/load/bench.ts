// `pnpm bench`: measures the promises of docs/performance.md on this machine and prints
// them as a table; `pnpm bench submissions` only a part of them. Every figure with a
// baseline is measured against it in the same run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, SiteProcess } from '../support/site-process.ts';
import { measureAccounts } from './accounts.ts';
import { startNginx } from './nginx.ts';
import { measurePreviews } from './preview.ts';
import { watchMemory } from './process-memory.ts';
import { publishMany } from './publish.ts';
import { ms, perSecond, type Row } from './row.ts';
import { measureSearch } from './search.ts';
import { newPostBody, newRichPostBody, seed } from './seed.ts';
import { measureSubmissions } from './submissions.ts';
import { hasProgram, inTurns, percentile, requestsPerSecond } from './wrk.ts';

const rows: Row[] = [];
const workFolder = mkdtempSync(join(tmpdir(), 'site-bench-'));

async function measureRender(site: SiteProcess, posts: number) {
  const endWatch = watchMemory(site.pid);
  const whole = await site.logged('republished all pages');
  const peak = endWatch();
  await site.ready;
  return { perPost: Number(whole['milliseconds']) / posts, peak };
}

async function measurePublishing(): Promise<void> {
  const p95s = new Map<number, number>();
  for (const posts of [10, 1_000, 10_000]) {
    const dataDir = join(workFolder, `publish-${posts}`);
    seed(dataDir, posts);
    const first = await SiteProcess.launch({ dataDir });
    const firstRender = await measureRender(first, posts);
    const { replies, served } = await publishMany(first, newPostBody, 200);
    await first.stop();
    const p95 = percentile(replies, 95);
    p95s.set(posts, p95);
    rows.push({
      what: `publish with ${posts.toLocaleString('en-US')} posts: reply p50 / p95, new bytes served p95`,
      measured: `${ms(percentile(replies, 50))} / ${ms(p95)}, ${ms(percentile(served, 95))}`,
      aim: posts === 10_000 ? 'p95 ≤ 25 ms' : '',
    });
    if (posts !== 10_000) continue;

    // On another port, which is another PUBLIC_URL.
    const second = await SiteProcess.launch({ dataDir });
    const secondRender = await measureRender(second, posts);
    await second.stop();
    for (const [which, { perPost, peak }] of [
      ['first publish, which also renders and stores bodies', firstRender],
      ['full re-render, as for a new build', secondRender],
    ] as const) {
      const what = `${which}, with 10,000 posts`;
      rows.push(
        { what: `${what}, per post`, measured: ms(perPost), aim: '≤ 1 ms' },
        { what: `${what}, peak memory of all processes`, measured: `${peak} MB`, aim: '≤ 300 MB' },
      );
    }
    const starts: number[] = [];
    let idle = Number.NaN;
    for (let run = 0; run < 3; run += 1) {
      const began = performance.now();
      // Another port would be another PUBLIC_URL, for which the whole site is rendered again.
      const site = await SiteProcess.start({ dataDir, port: second.port });
      starts.push(performance.now() - began);
      if (run === 2) {
        // Meanwhile it verifies the files.
        await pause(60_000);
        idle = site.memory().now;
      }
      await site.stop();
    }
    rows.push({
      what: 'start to ready with 10,000 posts, median of 3',
      measured: ms(percentile(starts, 50)),
      aim: '≤ 500 ms',
    });
    rows.push({ what: 'idle memory', measured: `${idle} MB`, aim: '≤ 120 MB' });
  }
  rows.push(growthRow('publish p95', p95s));
}

/** Each post is on five of ten tags' pages, which thus grow with the number of posts. */
async function measureRichPublishing(): Promise<void> {
  const p95s = new Map<number, number>();
  for (const posts of [10, 1_000, 10_000]) {
    const dataDir = join(workFolder, `rich-${posts}`);
    seed(dataDir, posts, { isRich: true });
    const site = await SiteProcess.launch({ dataDir });
    await site.logged('republished all pages');
    await site.ready;
    const { replies, served } = await publishMany(site, newRichPostBody, 100);
    await site.stop();
    const p95 = percentile(served, 95);
    p95s.set(posts, p95);
    rows.push({
      what: `publish with 5 tags and 3 pictures per post, ${posts.toLocaleString('en-US')} posts: reply p50 / p95, new bytes served p95`,
      measured: `${ms(percentile(replies, 50))} / ${ms(percentile(replies, 95))}, ${ms(p95)}`,
      aim: 'p95 ≤ 25 ms',
    });
  }
  rows.push(growthRow('the same, new bytes served p95', p95s));
}

function growthRow(what: string, p95s: ReadonlyMap<number, number>): Row {
  const growth = (p95s.get(10_000) ?? Number.NaN) / (p95s.get(10) ?? Number.NaN);
  return {
    what: `${what}, 10,000 posts against 10`,
    measured: `${growth.toFixed(2)} ×`,
    aim: '≤ 1.5 ×',
  };
}

async function measureServing(): Promise<void> {
  const dataDir = join(workFolder, 'publish-1000');
  const site = await SiteProcess.start({ dataDir });

  const barePort = await freePort();
  const bareFile = fileURLToPath(new URL('bare-server.ts', import.meta.url));
  const bare = spawn(process.execPath, [bareFile, join(dataDir, 'site.db'), String(barePort)]);
  await once(bare.stdout, 'data');
  const slug = '/api/posts/post-500';
  const [api, bareApi] = await inTurns(site.url + slug, `http://127.0.0.1:${barePort}${slug}`, 64);
  bare.kill();
  rows.push({
    what: 'GET /api/posts/{slug} against bare node:http with the same statement',
    measured: `${perSecond(api)} of ${perSecond(bareApi)}: ${Math.round((100 * api) / bareApi)} %`,
    aim: '≥ 70 %',
  });

  const page = '/blog/post-500';
  const response = await fetch(site.url + page, { headers: { 'Accept-Encoding': 'gzip' } });
  const size = Number(response.headers.get('Content-Length'));
  const what = `a page of ${(size / 1000).toFixed(1)} kB (gzip), 64 connections, against nginx with gzip_static`;
  if (hasProgram('nginx')) {
    const nginx = await startNginx(join(dataDir, 'site'), join(workFolder, 'nginx'));
    const [ours, theirs] = await inTurns(site.url + page, nginx.url + page, 64);
    await nginx.stop();
    const share = Math.round((100 * ours) / theirs);
    rows.push({
      what,
      measured: `${perSecond(ours)} of ${perSecond(theirs)}: ${share} %`,
      aim: '≥ 25 %',
    });
  } else {
    const ours = await requestsPerSecond(site.url + page, 64, 4);
    rows.push({ what, measured: `${perSecond(ours)}; nginx is not installed`, aim: '≥ 25 %' });
  }
  rows.push({
    what: 'memory after that load',
    measured: `${site.memory().now} MB`,
    aim: '≤ 250 MB',
  });
  await site.stop();
}

const parts = {
  async blog() {
    await measurePublishing();
    await measureRichPublishing();
    await measureServing();
  },
  async preview() {
    rows.push(...(await measurePreviews(workFolder)));
  },
  async search() {
    rows.push(...measureSearch(workFolder));
  },
  async submissions() {
    rows.push(...(await measureSubmissions(workFolder)));
  },
  async accounts() {
    rows.push(...(await measureAccounts(workFolder)));
  },
};
const names = Object.keys(parts) as (keyof typeof parts)[];
const [wanted] = process.argv.slice(2);
const asked = wanted === undefined ? names : names.filter((name) => name === wanted);
if (asked.length === 0) {
  console.error(`pnpm bench measures ${names.join(' and ')}: ${wanted} is not one of them`);
  process.exit(2);
}
if (!hasProgram('wrk')) {
  console.error('pnpm bench needs wrk, and nginx to compare with: apt-get install wrk nginx-light');
  process.exit(1);
}
try {
  for (const part of asked) await parts[part]();
} finally {
  rmSync(workFolder, { recursive: true });
}
console.log(
  `\n${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}\n`,
);
console.log('| what | measured | aim |\n| --- | --- | --- |');
for (const { what, measured, aim } of rows) console.log(`| ${what} | ${measured} | ${aim} |`);
