import type { PostSaved } from '@app/contract/blog/posts';
import { profiles, users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { allRows } from './tables.ts';
import { signedInBrowser, type TestApp, type TestBrowser } from './test-app.ts';

export const email = 'ann@example.com';

export const requestDeletion = (browser: TestBrowser, posts: unknown = 'keep') =>
  browser.send('DELETE', '/api/account', { posts });

/** Ann has a name, a published post, a renamed one and a draft; Bob has a post. */
export async function twoWriters(testApp: TestApp) {
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await testApp.deps.db
    .update(profiles)
    .set({ fullName: 'Ann Miller', username: 'ann', usernameKey: 'ann' })
    .where(eq(profiles.id, await idOf(testApp, email)));
  const write = async (browser: TestBrowser, title: string, published = true) => {
    const response = await browser.post('/api/posts', { title, content: 'Text', published });
    return ((await response.json()) as PostSaved).post;
  };
  await write(ann, 'Of Ann');
  const renamed = await write(ann, 'Before');
  await ann.send('PATCH', `/api/posts/${renamed.id}`, { slug: 'after' });
  await write(ann, 'Secret', false);
  await write(bob, 'Of Bob');
  return { ann, bob };
}

export const idOf = async ({ deps }: TestApp, address: string): Promise<string> =>
  (await deps.db.select().from(users).where(eq(users.email, address)))[0]?.id ?? '';

/** The table of each row that contains a trace, except tables of rows that belong to no account. */
export function rowsAbout({ deps }: TestApp, ...traces: string[]): string[] {
  const { outbox: _, rate_limits: __, ...tables } = allRows(deps.db);
  return Object.entries(tables).flatMap(([name, rows]) =>
    rows
      .filter((row) => traces.some((trace) => JSON.stringify(row).includes(trace)))
      .map(() => name),
  );
}
