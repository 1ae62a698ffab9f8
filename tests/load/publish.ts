import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostSaved } from '@app/contract/blog/posts';
import type { SiteProcess } from '../support/site-process.ts';
import { type newPostBody, writerHeaders } from './seed.ts';

const warmUp = 20;

const maxMilliseconds = 10_000;

/**
 * Publishes posts one after another, and deletes each one, so that their number stays the same.
 * @param readFrom when a reader begins to poll for each page
 * @returns the milliseconds until each reply, and until the reader had each page
 */
export async function publishMany(
  site: SiteProcess,
  bodyOf: typeof newPostBody,
  count: number,
  readFrom: 'request' | 'reply',
) {
  const replies: number[] = [];
  const served: number[] = [];
  const headers = writerHeaders(site.url);
  // A deleted post keeps its URL slug while it is in the trash.
  const run = randomUUID().slice(0, 8);
  for (let n = 0; n < count + warmUp; n += 1) {
    const body = { ...bodyOf(n), slug: `published-${run}-${n}` };
    const began = performance.now();
    const read = () => untilServed(`${site.url}/blog/${body.slug}`);
    const reading = readFrom === 'request' ? read() : undefined;
    const response = await fetch(`${site.url}/api/posts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const { post, publishing } = (await response.json()) as PostSaved;
    replies.push(performance.now() - began);
    if (publishing.state !== 'live') throw new Error(`the publishing state is ${publishing.state}`);
    const page = await (reading ?? read());
    served.push(page.at - began);
    if (page.hash !== publishing.hash) {
      throw new Error(`${publishing.path} is not what was published`);
    }
    await fetch(`${site.url}/api/posts/${post.id}`, { method: 'DELETE', headers });
  }
  return { replies: replies.slice(warmUp), served: served.slice(warmUp) };
}

/** Polls about every two milliseconds. */
async function untilServed(url: string): Promise<{ at: number; hash: string }> {
  const deadline = performance.now() + maxMilliseconds;
  while (performance.now() < deadline) {
    const page = await fetch(url);
    const text = await page.text();
    const at = performance.now();
    if (page.ok) return { at, hash: createHash('sha256').update(text).digest('hex') };
    await pause(1);
  }
  throw new Error(`${url} is not served`);
}
