import type { PostBody } from '@app/contract/pages';
import { contentProblems } from '@app/contract/post-content';
import type { Database, Transaction } from '@app/db/open';
import { blogPostBodies, blogPosts } from '@app/db/schema/blog';
import { writeIfPossible } from '@app/db/write-transaction';
import { and, count, eq, isNotNull, ne, sql } from 'drizzle-orm';
import type { Health } from '../health/health.ts';
import type { Log } from '../log.ts';
import type { RenderedBody } from './body-process.ts';
import type { BodyRenderer } from './body-renderer.ts';

/**
 * Of what makes HTML of a post's content: markdown.ts, and marked. To be raised with every change of
 * what comes out; stored bodies of another version are rendered again.
 */
export const pipelineVersion = 2;

/** Beside a post's columns, for the pages that show its body. All null when none was stored. */
export const bodyColumns = {
  pipeline: blogPostBodies.pipeline,
  problem: blogPostBodies.problem,
  html: blogPostBodies.html,
};

export interface StoredBody {
  id: string;
  content: string;
  version: number;
  pipeline: number | null;
  problem: string | null;
  html: string | null;
}

/** Texts that no row has: those of the sample posts. */
const maxRemembered = 16;

interface BodiesParts {
  db: Database;
  log: Log;
  health: Health;
  renderer: BodyRenderer;
}

export type Bodies = ReturnType<typeof createBodies>;

/** The bodies of posts as HTML: rendered once per revision, in a process of their own, and stored. */
export function createBodies({ db, log, health, renderer }: BodiesParts) {
  const remembered = new Map<string, Promise<RenderedBody>>();
  const unrenderable = db
    .select({ posts: count() })
    .from(blogPostBodies)
    .where(isNotNull(blogPostBodies.problem))
    .prepare();

  const selectBody = db
    .select({
      id: blogPosts.id,
      content: blogPosts.content,
      version: blogPosts.version,
      ...bodyColumns,
    })
    .from(blogPosts)
    .leftJoin(blogPostBodies, eq(blogPostBodies.postId, blogPosts.id))
    .where(eq(blogPosts.id, sql.placeholder('id')))
    .prepare();

  /** Tells the operator how many posts cannot be rendered as the database stands. */
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

  /**
   * The body of a stored post. Rendered and stored now where that has not happened yet, or by an
   * older pipeline: after an update, or for a post that was restored or imported.
   */
  async function complete({ id, content, version, ...stored }: StoredBody): Promise<RenderedBody> {
    if (stored.pipeline === pipelineVersion) {
      if (stored.html !== null) return { html: stored.html };
      return { problem: stored.problem ?? contentProblems.tooComplex };
    }
    const body = await renderer.renderStored(content);
    // Pages and feeds are read from here: one that cannot be stored now is rendered again.
    writeIfPossible(() =>
      db.transaction(
        (tx) => {
          const now = tx
            .select({ version: blogPosts.version })
            .from(blogPosts)
            .where(eq(blogPosts.id, id))
            .get();
          // Somebody may have saved another text meanwhile, with a body of its own.
          if (now?.version === version) storeBody(tx, id, body);
        },
        { behavior: 'immediate' },
      ),
    );
    if ('problem' in body) {
      log.error({ post: id, problem: body.problem }, 'a post cannot be rendered');
    }
    reportProblems();
    return body;
  }

  return {
    complete,

    /** The same, looked up by the post's id; null when it is gone. */
    async ofPost(id: string): Promise<RenderedBody | null> {
      const row = selectBody.get({ id });
      return row ? complete(row) : null;
    },

    /** Of a text that is not stored yet; see `BodyRenderer`. */
    render: renderer.render,

    /** Of a text that never is. */
    renderFixed(content: string): Promise<RenderedBody> {
      const known = remembered.get(content);
      if (known) return known;
      const rendering = renderer.renderStored(content);
      rendering.catch(() => remembered.delete(content));
      if (remembered.size < maxRemembered) remembered.set(content, rendering);
      return rendering;
    },

    reportProblems,

    /** Once, when the server starts: what an older pipeline could not render is tried again. */
    start(): void {
      db.delete(blogPostBodies)
        .where(and(isNotNull(blogPostBodies.problem), ne(blogPostBodies.pipeline, pipelineVersion)))
        .run();
      reportProblems();
    },
  };
}

export const postBody = (body: RenderedBody): PostBody =>
  'html' in body
    ? { bodyHtml: body.html, bodyProblem: null }
    : { bodyHtml: null, bodyProblem: body.problem };

/** Stores the body of a post, for the transaction that writes its content. */
export function storeBody(tx: Transaction, postId: string, body: RenderedBody): void {
  const row = {
    pipeline: pipelineVersion,
    problem: 'problem' in body ? body.problem : null,
    html: 'html' in body ? body.html : null,
  };
  tx.insert(blogPostBodies)
    .values({ postId, ...row })
    .onConflictDoUpdate({ target: blogPostBodies.postId, set: row })
    .run();
}
