import { join } from 'node:path';
import type { PostSaved } from '@app/contract/blog/posts';
import { hour } from '@app/contract/durations';
import { open } from '@app/db/open';
import { blogPosts } from '@app/db/schema/blog';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { statusOf } from '../support/status-of.ts';
import { Writer } from '../support/writer.ts';

/** @returns the scheduled time */
async function schedule(writer: Writer, slug: string, milliseconds: number): Promise<number> {
  const draft = await writer.call('POST', '/api/posts', { title: slug, slug, content: 'Text' });
  const { post } = (await draft.json()) as PostSaved;
  for (let ahead = milliseconds; ; ahead *= 2) {
    const at = Date.now() + ahead;
    const body = { scheduledAt: new Date(at).toISOString() };
    const response = await writer.call('PATCH', `/api/posts/${post.id}`, body);
    if (response.status === 200) return at;
    // On a busy machine, the time can already be in the past.
    expect([response.status, Date.now() > at]).toEqual([422, true]);
  }
}

/** @returns when readers got the post */
async function whenLive({ url }: SiteProcess, slug: string): Promise<number> {
  await expect.poll(() => statusOf(fetch(`${url}/blog/${slug}`)), { interval: 10 }).toBe(200);
  return Date.now();
}

/** Moves the scheduled time into the past, instead of waiting for it. */
function bringForward(dataDir: string, slug: string): void {
  const db = open(join(dataDir, 'site.db'));
  const scheduledAt = Date.now() - 1;
  db.update(blogPosts).set({ scheduledAt }).where(eq(blogPosts.slug, slug)).run();
  db.$client.close();
}

test('scheduled posts go live while the server runs, and after a kill', async () => {
  using folder = temporaryFolder();
  const options = { dataDir: folder.path };
  {
    await using site = await SiteProcess.start(options);
    const writer = Writer.add(site);
    const at = await schedule(writer, 'running', 3_000);
    const milliseconds = (await whenLive(site, 'running')) - at;
    expect(milliseconds).toBeGreaterThanOrEqual(0);
    console.log(`live ${milliseconds} ms after the scheduled time`);

    await schedule(writer, 'killed', hour);
    site.signal('SIGKILL');
    expect(await site.ended).toMatchObject({ signal: 'SIGKILL' });
  }
  bringForward(folder.path, 'killed');

  await using site = await SiteProcess.start(options);
  const started = Date.now();
  console.log(`live ${(await whenLive(site, 'killed')) - started} ms after the start`);
  // Later jobs can still be running.
  await expect.poll(async () => (await fetch(`${site.url}/blog`)).text()).toContain('/blog/killed');
});
