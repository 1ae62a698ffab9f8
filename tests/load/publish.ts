import { createHash } from 'node:crypto';
import type { PostSaved } from '@app/contract/blog/posts';
import type { SiteProcess } from '../support/site-process.ts';
import { type newPostBody, writerHeaders } from './seed.ts';

const warmUp = 20;

/**
 * Publishes posts one after another, and deletes each one again, so that their
 * number stays; returns the time of each reply and of each page's first new bytes.
 */
export async function publishMany(site: SiteProcess, bodyOf: typeof newPostBody, count: number) {
  const replies: number[] = [];
  const served: number[] = [];
  const headers = writerHeaders(site.url);
  for (let n = 0; n < count + warmUp; n += 1) {
    const began = performance.now();
    const response = await fetch(`${site.url}/api/posts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(bodyOf(n)),
    });
    const { post, publishing } = (await response.json()) as PostSaved;
    replies.push(performance.now() - began);
    if (publishing.state !== 'live') throw new Error(`publishing answered ${publishing.state}`);
    const page = await fetch(site.url + publishing.path);
    const hash = createHash('sha256')
      .update(await page.text())
      .digest('hex');
    if (hash !== publishing.hash) throw new Error(`${publishing.path} is not what was published`);
    served.push(performance.now() - began);
    await fetch(`${site.url}/api/posts/${post.id}`, { method: 'DELETE', headers });
  }
  return { replies: replies.slice(warmUp), served: served.slice(warmUp) };
}
