import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostSaved } from '@app/contract/blog/posts';
import { median } from '../support/percentile.ts';
import { SiteProcess } from '../support/site-process.ts';
import type { ContentSystem, NewPost } from './peers/content-system.ts';
import { emdashName, startEmdash } from './peers/emdash.ts';
import { ghostName, startGhost } from './peers/ghost.ts';
import { comparison, ms, notMeasured, perSecond, type Row } from './row.ts';
import { newPostBody, seed, writerHeaders } from './seed.ts';
import { inTurns } from './wrk.ts';

const warmUp = 10;
const posts = 50;
/** In milliseconds, for the work that a system does after its reply. */
const betweenPosts = 250;
const connections = 64;

const peers = [
  { name: ghostName, folder: 'ghost', start: startGhost },
  { name: emdashName, folder: 'emdash', start: startEmdash },
];

export async function* measureContentSystems(parent: string): AsyncGenerator<Row> {
  const dataDir = join(parent, 'site');
  seed(dataDir, 10);
  await using site = await SiteProcess.start({ dataDir });
  await using servers = new AsyncDisposableStack();
  const own = await measurePublishing((post) => publishHere(site, post));
  const theirs: Measured[] = [];
  for (const { name, folder, start } of peers) {
    try {
      const { server, publish } = await start(join(parent, folder));
      servers.use(server);
      theirs.push({ name, times: await measurePublishing(publish) });
    } catch (error) {
      theirs.push({ name, reason: (error as Error).message });
    }
  }
  yield* publishRows(own, theirs);
  const urls = [own, ...theirs.flatMap(({ times = [] }) => times)].map(({ page }) => page);
  const rates = await inTurns(urls, connections);
  const rateOf = ({ page }: PublishTimes) => rates[urls.indexOf(page)] ?? Number.NaN;
  yield {
    what: `the page of a post, ${connections} connections`,
    measured: perSecond(rateOf(own)),
    comparisons: theirs.map(({ name, times, reason }) =>
      times ? comparison(name, rateOf(own), rateOf(times), perSecond) : notMeasured(name, reason),
    ),
  };
}

interface PublishTimes {
  reply: number;
  served: number;
  hurriedReply: number;
  /** URL of the last post. */
  page: string;
}

type Measured =
  | { name: string; times: PublishTimes; reason?: never }
  | { name: string; times?: never; reason: string };

function publishRows(own: PublishTimes, theirs: readonly Measured[]): Row[] {
  const row = (what: string, time: 'reply' | 'served' | 'hurriedReply'): Row => ({
    what,
    measured: ms(own[time]),
    comparisons: theirs.map(({ name, times, reason }) =>
      times ? comparison(name, own[time], times[time], ms) : notMeasured(name, reason),
    ),
  });
  return [
    row(`publish, ${betweenPosts} ms between posts: reply, median`, 'reply'),
    row('the same, until its page is read after the reply, median', 'served'),
    row('publish, no pause between posts: reply, median', 'hurriedReply'),
  ];
}

async function publishHere(site: SiteProcess, post: NewPost): Promise<string> {
  const response = await fetch(`${site.url}/api/posts`, {
    method: 'POST',
    headers: writerHeaders(site.url),
    body: JSON.stringify({ ...post, published: true }),
  });
  const { publishing } = (await response.json()) as PostSaved;
  if (publishing.state !== 'live') throw new Error(`the publishing state is ${publishing.state}`);
  return site.url + publishing.path;
}

/** Medians in milliseconds. */
async function measurePublishing(publish: ContentSystem['publish']): Promise<PublishTimes> {
  const { replies, served } = await publishOn(publish, 0, betweenPosts);
  const hurried = await publishOn(publish, warmUp + posts, 0);
  return {
    reply: median(replies),
    served: median(served),
    hurriedReply: median(hurried.replies),
    page: hurried.page,
  };
}

async function publishOn(publish: ContentSystem['publish'], first: number, between: number) {
  const replies: number[] = [];
  const served: number[] = [];
  let page = '';
  for (let n = first; n < first + warmUp + posts; n += 1) {
    const { title, content } = newPostBody(n);
    const began = performance.now();
    page = await publish({ title, content });
    replies.push(performance.now() - began);
    const response = await fetch(page);
    const html = await response.text();
    // The heading of the post's text.
    if (!response.ok || !html.includes(`Call number ${100_000 + n}`)) {
      throw new Error(`${page} is not the post that was published: ${response.status}`);
    }
    served.push(performance.now() - began);
    await pause(between);
  }
  return { replies: replies.slice(warmUp), served: served.slice(warmUp), page };
}
