import { join } from 'node:path';
import type { PostSaved } from '@app/contract/blog/posts';
import { SiteProcess } from '../support/site-process.ts';
import type { ContentSystem, NewPost } from './peers/content-system.ts';
import { ghostName, startGhost } from './peers/ghost.ts';
import { comparison, ms, notMeasured, perSecond, type Row } from './row.ts';
import { newPostBody, seed, writerHeaders } from './seed.ts';
import { inTurns, median } from './wrk.ts';

const warmUp = 10;
const posts = 50;
const connections = 64;

/** What authors and readers wait for with another content management system. */
export async function* measureContentSystems(folder: string): AsyncGenerator<Row> {
  const dataDir = join(folder, 'site');
  seed(dataDir, 10);
  await using site = await SiteProcess.start({ dataDir });
  const own = await publishOn((post) => publishHere(site, post));
  const whats = ['publish: reply, median', 'publish: new page served, median'] as const;
  const pageWhat = `the page of a post, ${connections} connections`;

  let ghost: ContentSystem;
  try {
    ghost = await startGhost(join(folder, 'ghost'));
  } catch (error) {
    const comparisons = [notMeasured(ghostName, (error as Error).message)];
    yield { what: whats[0], measured: ms(own.reply), comparisons };
    yield { what: whats[1], measured: ms(own.served) };
    return;
  }
  await using server = ghost.server;
  const { name } = server;
  const theirs = await publishOn(ghost.publish);
  const [pages = 0, theirPages = 0] = await inTurns([own.page, theirs.page], connections);
  yield {
    what: whats[0],
    measured: ms(own.reply),
    comparisons: [comparison(name, own.reply, theirs.reply, ms)],
  };
  yield {
    what: whats[1],
    measured: ms(own.served),
    comparisons: [comparison(name, own.served, theirs.served, ms)],
  };
  yield {
    what: pageWhat,
    measured: perSecond(pages),
    comparisons: [comparison(name, pages, theirPages, perSecond)],
  };
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
async function publishOn(
  publish: ContentSystem['publish'],
): Promise<{ reply: number; served: number; page: string }> {
  const replies: number[] = [];
  const served: number[] = [];
  let page = '';
  for (let n = 0; n < warmUp + posts; n += 1) {
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
  }
  const measured = (times: number[]) => median(times.slice(warmUp));
  return { reply: measured(replies), served: measured(served), page };
}
