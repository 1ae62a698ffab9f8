import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postChange } from '@app/contract/blog/posts';
import { day, minute } from '@app/contract/durations';
import { profiles } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { copyTestDatabase } from '@app/db/testing/test-database';
import { writeTransaction } from '@app/db/write-transaction';
import { asc, isNotNull, isNull } from 'drizzle-orm';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, expect, test } from 'vitest';
import { listFiles, siteFolder } from '../../publishing/release.ts';
import { startWriting } from '../../testing/blog.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import { createPictureFiles } from '../pictures/picture-files.ts';
import { logAuthorPages } from '../publishing/author-pages.ts';
import { createBodyRenderer } from '../rendering/body-renderer.ts';
import { convertText } from '../transfer/convert/convert-text.ts';
import { importPosts } from '../transfer/import.ts';
import { idOfKey } from '../transfer/post-id.ts';
import type { Source } from '../transfer/source.ts';

const bodyRenderer = createBodyRenderer();
afterAll(() => bodyRenderer.close());

/** Only a few, so that posts take the slugs of each other and of the samples. */
const slug = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  'e',
  'a-2',
  'newer-sample',
  'older-sample',
  'editor',
);
const title = fc.constantFrom('A', 'B', 'Newer sample', '<b>&', '漢字', 'a".\n');
const content = fc.constantFrom(
  ...['Text', '# A\n\n## B', '- a\n- b\n\n[^1]\n\n[^1]: c', '| a |\n|-|\n| b |', '**a** <b> &amp;'],
  ...['![a](https://example.com/b.png "c")', '```js\nlet a;\n```', 'word '.repeat(2_000)],
);
const tags = fc.subarray(['A', 'b & c', '漢字', 'Phones'], { minLength: 0 });
const texts = fc.record(
  {
    title,
    content,
    excerpt: fc.constantFrom('', 'An excerpt'),
    coverImage: fc.constantFrom(null, 'https://example.com/a.png'),
    tags,
  },
  { requiredKeys: [] },
);
/** Selects one of the posts, or one of those in the trash. */
const which = fc.noBias(fc.nat({ max: 1_000_000 }));

const operation = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    ...{ title, content, slug, tags },
    published: fc.boolean(),
  }),
  fc.record({ do: fc.constant('edit' as const), which, change: texts }),
  fc.record({ do: fc.constant('rename' as const), which, change: fc.record({ slug }) }),
  fc.record({
    do: fc.constant('publish or unpublish' as const),
    which,
    change: fc.record({ published: fc.boolean() }),
  }),
  fc.record({
    do: fc.constant('schedule' as const),
    which,
    minutes: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ do: fc.constant('remove' as const), which }),
  fc.record({ do: fc.constant('restore' as const), which }),
  fc.record({ do: fc.constant('erase' as const), which }),
  fc.record({
    do: fc.constant('import' as const),
    posts: fc.array(
      fc.record({
        key: fc.integer({ min: 1, max: 60 }),
        slug,
        title,
        content,
        tags,
        published: fc.boolean(),
        daysAgo: fc.integer({ min: 0, max: 400 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc.record({ do: fc.constant('rename author' as const), name: fc.constantFrom('Ann', '<Bob>') }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 5, 60, 20 * 24 * 60) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

async function createSite(testApp: TestApp) {
  const { deps, clock } = testApp;
  const { db, publisher } = deps;
  const writer = await startWriting(testApp);

  function find(nth: number, isTrashed = false): { id: string } | undefined {
    const { deletedAt } = blogPosts;
    const posts = db
      .select({ id: blogPosts.id })
      .from(blogPosts)
      .where(isTrashed ? isNotNull(deletedAt) : isNull(deletedAt))
      .orderBy(asc(blogPosts.id))
      .all();
    return posts[nth % posts.length];
  }

  const run = async (operation: Operation): Promise<unknown> => {
    switch (operation.do) {
      case 'create': {
        const { do: _, title: name, ...more } = operation;
        return writer.write(name, more);
      }
      case 'edit':
      case 'rename':
      case 'publish or unpublish': {
        const post = find(operation.which);
        return post && writer.change(post, v.parse(postChange, operation.change));
      }
      case 'schedule': {
        const post = find(operation.which);
        const scheduledAt = new Date(clock.now() + operation.minutes * minute).toISOString();
        return post && writer.change(post, { scheduledAt });
      }
      case 'remove': {
        const post = find(operation.which);
        return post && writer.remove(post);
      }
      case 'restore': {
        const post = find(operation.which, true);
        return post && writer.restore(post);
      }
      case 'erase': {
        const post = find(operation.which, true);
        return post && writer.erase(post);
      }
      case 'import':
        return importAll(operation.posts);
      case 'rename author': {
        const { name } = operation;
        await writeTransaction(db, (tx) => {
          tx.update(profiles).set({ fullName: name }).run();
          logAuthorPages(tx, clock.now(), 'ann');
        });
        return publisher.run();
      }
      case 'wait':
        clock.move(operation.minutes * minute);
        return deps.scheduler.publishDue();
    }
  };

  async function importAll(posts: (Operation & { do: 'import' })['posts']): Promise<void> {
    const source: Source = {
      kind: 'test',
      count: posts.length,
      async *items() {
        for (const {
          key,
          slug: wanted,
          title: name,
          content: text,
          tags: names,
          published,
          daysAgo,
        } of posts) {
          const createdAt = clock.now() - daysAgo * day;
          const id = idOfKey(`${key}`);
          const more = {
            name: id,
            excerpt: '',
            cover: '',
            updatedAt: null,
            scheduledAt: null,
            oldSlugs: [],
            author: null,
            notes: [],
          };
          yield {
            ...more,
            id,
            title: name,
            slug: wanted,
            text,
            tags: names,
            format: 'exact',
            published,
            createdAt,
          };
        }
      },
    };
    await importPosts({
      ...{
        db,
        files: createPictureFiles(testApp.dataDir),
        clock,
        source,
        bodyRenderer,
        defaultAuthor: { userId: 'ann', email: 'ann@example.com' },
        isDryRun: false,
      },
      converter: { convert: async (task) => convertText(task) },
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    // The server does this for changes of other processes.
    await publisher.run();
  }

  return {
    /** Ignores refusals, such as for a taken slug, but not errors. */
    async change(operation: Operation): Promise<void> {
      clock.move(1_000);
      try {
        await run(operation);
      } catch (error) {
        const { message, name } = error as Error;
        if (!message.startsWith('refused: ') && name !== 'ValiError') throw error;
      }
    },
  };
}

/** The site's files by name. */
async function filesOf({ dataDir, deps }: TestApp): Promise<Record<string, string>> {
  await deps.publisher.settled();
  const folder = siteFolder(dataDir);
  const names = (await listFiles(folder)).sort();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    ),
  );
}

/** What a first start publishes for a copy of the database. */
async function rebuilt(changed: TestApp): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rebuilt-'));
  try {
    copyTestDatabase(join(changed.dataDir, 'site.db'), join(dataDir, 'site.db'));
    const { clock } = changed;
    await using testApp = await makeTestApp({ dataDir, clock, publishes: true });
    return await filesOf(testApp);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

const count = isFullRun ? 1_000 : 100;
const checkedEvery = isFullRun ? 100 : 50;
const seed = isFullRun ? Date.now() % 2 ** 31 : 20_261_122;

test(`${count} random changes end with the files of a full rebuild`, async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const site = await createSite(testApp);
  const operations = fc.sample(operation, { numRuns: count, seed });
  for (let done = 0; done < count; done += checkedEvery) {
    const some = operations.slice(done, done + checkedEvery);
    for (const each of some) await site.change(each);
    const history = `seed ${seed}, changes ${done + 1} to ${done + some.length}:\n${some.map((each) => JSON.stringify(each)).join('\n')}`;
    expect(await filesOf(testApp), history).toEqual(await rebuilt(testApp));
  }
});
