import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../support/percentile.ts';
import { SiteProcess } from '../support/site-process.ts';
import { startEmptyServer } from './peers/bare-servers.ts';
import { watchMemory } from './process-memory.ts';
import { publishMany } from './publish.ts';
import { comparison, megabytes, ms, type Row } from './row.ts';
import { newPostBody, newRichPostBody, seed } from './seed.ts';

const counts = [10, 1_000, 10_000] as const;
const maxPosts = 10_000;

export async function* measurePublishing(folder: string): AsyncGenerator<Row> {
  const p95s = new Map<number, number>();
  for (const posts of counts) {
    const dataDir = join(folder, `publish-${posts}`);
    seed(dataDir, posts);
    const first = await SiteProcess.launch({ dataDir });
    const firstRender = await measureRender(first, posts);
    const withReader = await publishMany(first, newPostBody, 200, 'request');
    const memory = first.memory().now;
    const { replies } = await publishMany(first, newPostBody, 200, 'reply');
    await first.stop();
    const p95 = percentile(replies, 95);
    p95s.set(posts, p95);
    const what = `publish with ${posts.toLocaleString('en-US')} posts`;
    yield {
      what: `${what}: reply p50 / p95`,
      measured: `${ms(percentile(replies, 50))} / ${ms(p95)}`,
      aim: posts === maxPosts ? 'p95 ≤ 25 ms' : '',
    };
    yield {
      what: `${what} while a reader polls the page: reply p50 / p95, new bytes served p95`,
      measured: `${ms(percentile(withReader.replies, 50))} / ${ms(percentile(withReader.replies, 95))}, ${ms(percentile(withReader.served, 95))}`,
    };
    if (posts !== maxPosts) continue;
    yield {
      what: 'server memory afterwards, including the first publish, with 10,000 posts',
      measured: megabytes(memory),
      aim: '≤ 250 MB',
    };

    // Another port changes PUBLIC_URL, so all pages are rendered again.
    const second = await SiteProcess.launch({ dataDir });
    const secondRender = await measureRender(second, posts);
    await second.stop();
    yield* renderRows('first publish, which also renders and stores bodies', firstRender);
    yield* renderRows('full re-render, as for a new build', secondRender);
    yield* await startRows(dataDir, second.port);
  }
  yield growthRow('publish p95', p95s);
  yield* measureRichPublishing(folder);
}

async function measureRender(site: SiteProcess, posts: number) {
  const endWatch = watchMemory(site.pid);
  const whole = await site.logged('republished all pages');
  const peak = endWatch();
  await site.ready;
  return { perPost: Number(whole['milliseconds']) / posts, peak };
}

function renderRows(
  which: string,
  { perPost, peak }: Awaited<ReturnType<typeof measureRender>>,
): Row[] {
  const what = `${which}, with 10,000 posts`;
  return [
    { what: `${what}, per post`, measured: ms(perPost), aim: '≤ 1 ms' },
    {
      what: `${what}, peak memory of all processes`,
      measured: megabytes(peak),
      aim: '≤ 300 MB',
    },
  ];
}

/** @param port the port of the published site: another one would render all pages again */
async function startRows(dataDir: string, port: number): Promise<Row[]> {
  const starts: number[] = [];
  const bareStarts: number[] = [];
  let idle = Number.NaN;
  let bareIdle = Number.NaN;
  for (let run = 0; run < 3; run += 1) {
    let began = performance.now();
    const bare = await startEmptyServer();
    bareStarts.push(performance.now() - began);
    began = performance.now();
    const site = await SiteProcess.start({ dataDir, port });
    starts.push(performance.now() - began);
    if (run === 2) {
      // Meanwhile the server verifies its files.
      await pause(60_000);
      idle = site.memory().now;
      bareIdle = bare.memory();
    }
    await site.stop();
    await bare.stop();
  }
  const name = `Node ${process.versions.node} with an empty server`;
  const [start, bareStart] = [percentile(starts, 50), percentile(bareStarts, 50)];
  return [
    {
      what: 'start to ready with 10,000 posts, median of 3',
      measured: ms(start),
      aim: '≤ 500 ms',
      comparisons: [comparison(name, start, bareStart, ms)],
    },
    {
      what: 'idle memory with 10,000 posts',
      measured: megabytes(idle),
      aim: '≤ 120 MB',
      comparisons: [comparison(name, idle, bareIdle, megabytes)],
    },
  ];
}

/** Each post has five of ten tags, so the pages of tags grow with the number of posts. */
async function* measureRichPublishing(folder: string): AsyncGenerator<Row> {
  const p95s = new Map<number, number>();
  for (const posts of counts) {
    const dataDir = join(folder, `rich-${posts}`);
    seed(dataDir, posts, { isRich: true });
    const site = await SiteProcess.launch({ dataDir });
    await site.logged('republished all pages');
    await site.ready;
    const { replies, served } = await publishMany(site, newRichPostBody, 100, 'request');
    await site.stop();
    const p95 = percentile(served, 95);
    p95s.set(posts, p95);
    yield {
      what: `publish with 5 tags and 3 pictures per post, ${posts.toLocaleString('en-US')} posts: reply p50 / p95, new bytes served p95`,
      measured: `${ms(percentile(replies, 50))} / ${ms(percentile(replies, 95))}, ${ms(p95)}`,
      aim: 'p95 ≤ 25 ms',
    };
  }
  yield growthRow('the same, new bytes served p95', p95s);
}

function growthRow(what: string, p95s: ReadonlyMap<number, number>): Row {
  const growth = (p95s.get(maxPosts) ?? Number.NaN) / (p95s.get(10) ?? Number.NaN);
  return {
    what: `${what}, 10,000 posts against 10`,
    measured: `${growth.toFixed(2)} ×`,
    aim: '≤ 1.5 ×',
  };
}
