import type { PostBody } from '@app/contract/blog/pages';
import { contentProblems } from '@app/contract/blog/post-content';
import type { Tag } from '@app/contract/blog/posts';
import type { Database, Transaction } from '@app/db/open';
import { blogPostBodies, blogPosts } from '@app/db/schema/blog';
import { caughtUp, writeIfPossible } from '@app/db/write-transaction';
import { and, asc, count, eq, gt, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { batchesBySize } from '../../batches.ts';
import type { Log } from '../../log.ts';
import type { Health } from '../../server/health/health.ts';
import { isLive } from '../posts/live-posts.ts';
import type { RenderedBody } from './body-process.ts';
import type { BodyRenderer } from './body-renderer.ts';
import type { RenderedMarkdown } from './markdown.ts';

/**
 * Version of the HTML that markdown.ts and marked produce, and of its search text. Increment it
 * with every change of the output: stored bodies of other versions are rendered again.
 */
export const pipelineVersion = 9;

/** Selected together with a post's columns. All null if no body is stored. */
export const bodyColumns = {
  pipelineVersion: blogPostBodies.pipelineVersion,
  problem: blogPostBodies.problem,
  words: blogPostBodies.words,
  isRich: blogPostBodies.isRich,
  outlineHtml: blogPostBodies.outlineHtml,
  html: blogPostBodies.html,
};

interface StoredBody {
  id: string;
  content: string;
  version: number;
  pipelineVersion: number | null;
  problem: string | null;
  words: number | null;
  isRich: boolean | null;
  outlineHtml: string | null;
  html: string | null;
}

type Body = RenderedMarkdown | { problem: string };

/** What determines the pages that show a post. */
export interface PostReference {
  id: string;
  slug: string;
  createdAt: number;
  tags: Tag[];
}

/** Bodies cached in memory: those of sample posts, which have no rows. */
const maxRemembered = 16;

/** Characters per batch of texts: about fifty posts. A longer text is a batch of its own. */
const charactersAtOnce = 200_000;

interface BodiesParts {
  db: Database;
  log: Log;
  health: Health;
  renderer: BodyRenderer;
}

export type Bodies = ReturnType<typeof createBodies>;

/** Posts as HTML, which is rendered once per revision in a child process, and stored. */
export function createBodies({ db, log, health, renderer }: BodiesParts) {
  const remembered = new Map<string, Promise<RenderedBody>>();
  const unrenderable = db
    .select({ posts: count() })
    .from(blogPostBodies)
    .innerJoin(blogPosts, eq(blogPosts.id, blogPostBodies.postId))
    .where(and(isLive, isNotNull(blogPostBodies.problem)))
    .prepare();

  const selectBodies = () =>
    db
      .select({
        id: blogPosts.id,
        content: blogPosts.content,
        version: blogPosts.version,
        ...bodyColumns,
      })
      .from(blogPosts)
      .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id));
  const selectBody = selectBodies()
    .where(eq(blogPosts.id, sql.placeholder('id')))
    .prepare();
  const selectMany = selectBodies().where(isIn('ids', blogPosts.id)).prepare();

  const missing = db
    .select({
      id: blogPosts.id,
      slug: blogPosts.slug,
      createdAt: blogPosts.createdAt,
      tags: blogPosts.tags,
      // SQLite's octet_length does not read the text.
      length: sql<number>`octet_length(${blogPosts.content})`,
    })
    .from(blogPosts)
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
    .where(
      and(
        or(isIn('ids', blogPosts.id), isIn('slugs', blogPosts.slug)),
        // The plus stops SQLite from reading every published post (sqlite.org/optoverview.html).
        sql`+${blogPosts.published} = 1`,
        or(
          isNull(blogPostBodies.pipelineVersion),
          ne(blogPostBodies.pipelineVersion, pipelineVersion),
        ),
      ),
    )
    .prepare();

  const nextOutOfTime = db
    .select({
      id: blogPosts.id,
      slug: blogPosts.slug,
      createdAt: blogPosts.createdAt,
      tags: blogPosts.tags,
      content: blogPosts.content,
      version: blogPosts.version,
    })
    .from(blogPosts)
    .innerJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
    .where(
      and(
        isLive,
        isNotNull(blogPostBodies.problem),
        eq(blogPostBodies.problem, contentProblems.tooComplex),
        gt(blogPostBodies.postId, sql.placeholder('after')),
      ),
    )
    .orderBy(asc(blogPostBodies.postId))
    .limit(1)
    .prepare();

  function reportProblems(): void {
    const posts = unrenderable.get()?.posts ?? 0;
    if (posts === 0) {
      health.clear('post bodies');
      return;
    }
    const which = posts === 1 ? '1 post' : `${posts} posts`;
    health.report(
      'post bodies',
      `${which} cannot be rendered and ${posts === 1 ? 'is' : 'are'} left out of the blog. The log says which.`,
    );
  }

  /** The stored body; renders and stores it if it is missing or of an older version. */
  async function complete({ id, content, version, ...stored }: StoredBody): Promise<Body> {
    if (stored.pipelineVersion === pipelineVersion) {
      const { problem, html, outlineHtml, words, isRich } = stored;
      if (html === null) return { problem: problem ?? contentProblems.tooComplex };
      return { html, outlineHtml, words: words ?? 0, isRich: isRich ?? false };
    }
    const [body] = await renderAndStore([{ id, content, version }]);
    if (!body) throw new Error(`post ${id} has no body after it was rendered`);
    return body;
  }

  async function renderAndStore(
    posts: readonly Pick<StoredBody, 'id' | 'content' | 'version'>[],
  ): Promise<RenderedBody[]> {
    const rendered = await renderer.renderStored(posts.map(({ content }) => content));
    await storeRendered(posts.map((post, index) => ({ post, body: bodyAt(rendered, index) })));
    return rendered;
  }

  async function storeRendered(
    all: readonly { post: { id: string; version: number }; body: RenderedBody }[],
  ): Promise<void> {
    // If this cannot be written, the body is rendered again the next time.
    writeIfPossible(() =>
      db.transaction(
        (tx) => {
          for (const { post, body } of all) {
            const now = tx
              .select({ version: blogPosts.version })
              .from(blogPosts)
              .where(eq(blogPosts.id, post.id))
              .get();
            // The post may have changed in the meantime.
            if (now?.version === post.version) storeBody(tx, post.id, body);
          }
        },
        { behavior: 'immediate' },
      ),
    );
    for (const { post, body } of all) {
      if (!('problem' in body)) continue;
      log.error({ post: post.id, problem: body.problem }, 'a post cannot be rendered');
    }
    await caughtUp(db);
    reportProblems();
  }

  return {
    complete,

    /**
     * Renders missing bodies of published posts in batches. Does not throw, because rendering is
     * tried again for each page.
     * @returns posts that cannot be rendered
     */
    async completeAll(posts: {
      ids: readonly string[];
      slugs: readonly string[];
    }): Promise<PostReference[]> {
      const unrenderable: PostReference[] = [];
      try {
        const ids = JSON.stringify(posts.ids);
        const slugs = JSON.stringify(posts.slugs);
        const without = missing.all({ ids, slugs });
        for (const batch of batchesBySize(without, charactersAtOnce, ({ length }) => length)) {
          const byId = new Map(batch.map((post) => [post.id, post]));
          const rows = selectMany.all({ ids: JSON.stringify([...byId.keys()]) });
          const bodies = await renderAndStore(rows);
          rows.forEach(({ id }, index) => {
            const post = byId.get(id);
            if (post && 'problem' in bodyAt(bodies, index)) unrenderable.push(post);
          });
        }
      } catch (error) {
        log.warn({ err: error }, 'could not render posts as a batch');
      }
      return unrenderable;
    },

    /** Retries posts that timed out, with more time. @returns those that can be rendered now */
    async retryOutOfTime(signal: AbortSignal): Promise<PostReference[]> {
      const fixed: PostReference[] = [];
      let post = nextOutOfTime.get({ after: '' });
      while (post && !signal.aborted) {
        const body = await renderer.renderWithLongerTimeout(post.content);
        if (signal.aborted) break;
        if ('html' in body) {
          await storeRendered([{ post, body }]);
          fixed.push(post);
        }
        post = nextOutOfTime.get({ after: post.id });
      }
      return fixed;
    },

    async ofPost(id: string): Promise<Body | null> {
      const row = selectBody.get({ id });
      return row ? complete(row) : null;
    },

    render: renderer.render,

    warmUp: renderer.warmUp,

    renderFixed(content: string): Promise<RenderedBody> {
      const known = remembered.get(content);
      if (known) return known;
      const rendering = renderer.renderStored([content]).then((rendered) => bodyAt(rendered, 0));
      rendering.catch(() => remembered.delete(content));
      if (remembered.size < maxRemembered) remembered.set(content, rendering);
      return rendering;
    },

    reportProblems,

    /** Call on startup. Bodies that an older version could not render are tried again. */
    start(): void {
      db.delete(blogPostBodies)
        .where(
          and(
            isNotNull(blogPostBodies.problem),
            ne(blogPostBodies.pipelineVersion, pipelineVersion),
          ),
        )
        .run();
      reportProblems();
    },
  };
}

/** A list as one parameter, so that the statement can be prepared. */
function isIn(list: string, column: SQLiteColumn): SQL {
  return sql`${column} in (select value from json_each(${sql.placeholder(list)}))`;
}

function bodyAt(rendered: readonly RenderedBody[], index: number): RenderedBody {
  const body = rendered[index];
  if (!body) throw new Error('the render process returned too few bodies');
  return body;
}

const noHtml = { html: null, outlineHtml: null, words: 0, isRich: false };

export function postBody(body: Body): PostBody {
  const { html, outlineHtml, words, isRich } = 'html' in body ? body : noHtml;
  const bodyProblem = 'problem' in body ? body.problem : null;
  return { bodyHtml: html, bodyProblem, outlineHtml, words, isRich };
}

export function storeBody(tx: Transaction, postId: string, body: RenderedBody): void {
  const rendered = 'html' in body ? { ...body, problem: null } : { ...noHtml, text: null, ...body };
  const row = { pipelineVersion, ...rendered };
  tx.insert(blogPostBodies)
    .values({ postId, ...row })
    .onConflictDoUpdate({ target: blogPostBodies.postId, set: row })
    .run();
}
