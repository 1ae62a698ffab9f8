import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostSaved } from '@app/contract/blog/posts';
import { SiteProcess } from '../support/site-process.ts';
import type { ContentSystem, NewPost } from './peers/content-system.ts';
import { ghostName, startGhost } from './peers/ghost.ts';
import { comparison, ms, notMeasured, perSecond, type Row } from './row.ts';
import { newPostBody, seed, writerHeaders } from './seed.ts';
import { inTurns, median } from './wrk.ts';

const warmUp = 10;
const posts = 50;
/** In milliseconds, for what a system does after its reply. */
const betweenPosts = 250;
const connections = 64;

/** What authors and readers wait for with another content management system. */
export async function* measureContentSystems(folder: string): AsyncGenerator<Row> {
  const dataDir = join(folder, 'site');
  seed(dataDir, 10);
  await using site = await SiteProcess.start({ dataDir });
  const own = await measurePublishing((post) => publishHere(site, post));

  let ghost: ContentSystem;
  try {
    ghost = await startGhost(join(folder, 'ghost'));
  } catch (error) {
    const reason = (error as Error).message;
    yield* publishRows(own).map((row) => ({
      ...row,
      comparisons: [notMeasured(ghostName, reason)],
    }));
    return;
  }
  await using server = ghost.server;
  const theirs = await measurePublishing(ghost.publish);
  yield* publishRows(own, { name: server.name, times: theirs });
  const [pages = 0, theirPages = 0] = await inTurns([own.page, theirs.page], connections);
  yield {
    what: `the page of a post, ${connections} connections`,
    measured: perSecond(pages),
    comparisons: [comparison(server.name, pages, theirPages, perSecond)],
  };
}

interface PublishTimes {
  reply: number;
  served: number;
  hurriedReply: number;
}

function publishRows(own: PublishTimes, peer?: { name: string; times: PublishTimes }): Row[] {
  const row = (what: string, time: keyof PublishTimes): Row => ({
    what,
    measured: ms(own[time]),
    comparisons: peer ? [comparison(peer.name, own[time], peer.times[time], ms)] : [],
  });
  return [
    row(`publish, ${betweenPosts} ms between posts: reply, median`, 'reply'),
    row('the same: until its page is read after the reply, median', 'served'),
    row('publish, nothing between posts: reply, median', 'hurriedReply'),
  ];
}

async function publishHere(site: SiteProcess, post: NewPost): Promise<string> {
  const response = await fetch(`${site.url}/api/posts`, {
    method: 'POST',
    headers: writerHeaders(site.url),
    body: JSON.stringify({ ...post, published: true }),
  });
  const { publishing } = (await response.json()) as PostSaved;
  if (publishing.state !== 'live') throw new Error(`publishing answered ${publishing.state}`);
  return site.url + publishing.path;
}

/** Medians in milliseconds, and the URL of the last page. */
async function measurePublishing(
  publish: ContentSystem['publish'],
): Promise<PublishTimes & { page: string }> {
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
    // The heading of its text.
    if (!response.ok || !html.includes(`Call number ${100_000 + n}`)) {
      throw new Error(`${page} is not the post that was published: ${response.status}`);
    }
    served.push(performance.now() - began);
    await pause(between);
  }
  return { replies: replies.slice(warmUp), served: served.slice(warmUp), page };
}
