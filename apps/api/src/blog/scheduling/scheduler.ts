import type { Transaction } from '@app/db/open';
import { accountDeletions, users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { storageFailureOf } from '@app/db/storage-failure';
import { writeTransaction } from '@app/db/write-transaction';
import { and, asc, eq, isNotNull, isNull, lte, min, notInArray } from 'drizzle-orm';
import { logChange, retryDelay } from '../../publishing/log.ts';
import type { Health } from '../../server/health/health.ts';
import type { Storage } from '../../server/health/storage.ts';
import type { Deps as BlogDeps } from '../deps.ts';
import { createRelatedPaths } from '../pages/related-paths.ts';
import { isLive } from '../posts/live-posts.ts';
import { accessTo } from '../posts/permissions.ts';
import type { StoredPost } from '../posts/writing-access.ts';
import { type PathsOfChange, pathsOfChange } from '../publishing/paths-of-change.ts';
import { addMissingRevision, addRevision, deleteOldRevisions } from '../revisions/revisions.ts';
import { droppedSchedule, unscheduled } from './schedule.ts';

/** Per transaction. */
const maxPosts = 10;
/** Per transaction, which blocks the event loop. Long texts take longer to index. */
const maxMilliseconds = 20;

/** The clock can be set, and CLI commands add posts without waking the scheduler. */
const pollMilliseconds = 60_000;
/** In the last minute before a post is due. */
const nearPollMilliseconds = 1_000;

/** After a database failure. */
const retryMilliseconds = 5_000;

const healthSource = 'scheduled posts';

interface Failure {
  attempts: number;
  /** By the monotonic clock. */
  retryAt: number;
}

export type Scheduler = ReturnType<typeof createScheduler>;

type Deps = Omit<BlogDeps, 'scheduler'> & { health: Health; storage: Pick<Storage, 'note'> };

/** Publishes scheduled posts when they are due. A post that fails does not hold up others. */
export function createScheduler(deps: Deps) {
  const { db, clock, log, health, storage, settings, bodies, publisher } = deps;
  const related = createRelatedPaths(db);
  const failures = new Map<string, Failure>();
  let isStarted = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  /** @returns whether pages changed, and whether more posts may be due */
  function publishBatch(tx: Transaction): { hasChanged: boolean; hasMore: boolean } {
    const began = performance.now();
    const now = clock.now();
    const due = tx
      .select()
      .from(blogPosts)
      .where(and(isScheduled, lte(blogPosts.scheduledAt, now), notInArray(blogPosts.id, waiting())))
      .orderBy(asc(blogPosts.scheduledAt), asc(blogPosts.id))
      .limit(maxPosts)
      .all();
    // In the order of the log: the posts' own pages come before feeds and archives.
    const first: string[] = [];
    const rest: string[] = [];
    let tried = 0;
    for (const post of due) {
      if (tried > 0 && performance.now() - began > maxMilliseconds) break;
      tried += 1;
      try {
        // A savepoint, so that a failure undoes only this post.
        const pages = tx.transaction((inner) => publishPost(inner, post, now));
        first.push(...(pages.first ?? []));
        rest.push(...pages.paths);
        failures.delete(post.id);
      } catch (error) {
        if (storageFailureOf(error) !== null) throw error;
        recordFailure(post.id, error);
      }
    }
    const hasMore = tried < due.length || due.length === maxPosts;
    const { seq } = logChange(tx, now, [...first, ...rest]);
    return { hasChanged: seq > 0, hasMore };
  }

  function publishPost(tx: Transaction, before: StoredPost, now: number): PathsOfChange {
    const by = tx
      .select({ userId: users.id, role: users.role })
      .from(users)
      .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
      .where(and(eq(users.id, before.scheduledBy ?? ''), isNull(accountDeletions.userId)))
      .get();
    if (by === undefined || accessTo(settings, before, by) !== 'change') {
      log.warn({ post: before.id }, 'the user who scheduled a post may no longer change it');
      tx.update(blogPosts).set(droppedSchedule).where(eq(blogPosts.id, before.id)).run();
      return { paths: [] };
    }
    const change = {
      ...unscheduled,
      version: before.version + 1,
      updatedAt: now,
      published: true,
      // Pages and lists show the date on which the post appeared.
      createdAt: now,
    };
    const after = { ...before, ...change };
    tx.update(blogPosts).set(change).where(eq(blogPosts.id, before.id)).run();
    addMissingRevision(tx, before);
    addRevision(tx, after, before.scheduledBy);
    deleteOldRevisions(tx, before.id);
    return pathsOfChange(tx, related, { before, after });
  }

  function recordFailure(id: string, error: unknown): void {
    const attempts = (failures.get(id)?.attempts ?? 0) + 1;
    failures.set(id, { attempts, retryAt: clock.monotonic() + retryDelay(attempts) });
    log.error({ err: error, post: id, attempts }, 'a scheduled post could not be published');
  }

  /** Failed posts whose next attempt is not due yet. */
  const waiting = (): string[] =>
    [...failures].filter(([, { retryAt }]) => retryAt > clock.monotonic()).map(([id]) => id);

  /** Failed posts may have been deleted, changed or published manually since. */
  function forgetObsoleteFailures(now: number): void {
    for (const id of failures.keys()) {
      const isDue = and(isScheduled, lte(blogPosts.scheduledAt, now), eq(blogPosts.id, id));
      const post = db.select({ id: blogPosts.id }).from(blogPosts).where(isDue).get();
      if (!post) failures.delete(id);
    }
    const posts = failures.size === 1 ? '1 scheduled post' : `${failures.size} scheduled posts`;
    if (failures.size === 0) health.clear(healthSource);
    else health.report(healthSource, `${posts} could not be published, and will be retried.`);
  }

  async function publishDue(): Promise<void> {
    for (let hasMore = true; hasMore && !isStopped; ) {
      const batch = await writeTransaction(db, publishBatch);
      hasMore = batch.hasMore;
      if (!batch.hasChanged) continue;
      bodies.reportProblems();
      await publisher.run();
    }
    forgetObsoleteFailures(clock.now());
  }

  /** In milliseconds, far below the limit of timers (2^31). */
  function untilNext(): number {
    const now = clock.now();
    forgetObsoleteFailures(now);
    const next = db
      .select({ at: min(blogPosts.scheduledAt) })
      .from(blogPosts)
      .where(and(isScheduled, notInArray(blogPosts.id, waiting())))
      .get();
    const untilDue = next?.at == null ? pollMilliseconds : Math.max(next.at - now, 0);
    const retries = [...failures.values()].map(({ retryAt }) => retryAt - clock.monotonic());
    const wait = Math.min(untilDue, ...retries.filter((milliseconds) => milliseconds > 0));
    return Math.min(wait, wait < pollMilliseconds ? nearPollMilliseconds : pollMilliseconds);
  }

  function sleep(): void {
    clearTimeout(timer);
    if (isStopped) return;
    try {
      timer = setTimeout(run, untilNext()).unref();
    } catch (error) {
      retryLater(error);
    }
  }

  function run(): void {
    running = publishDue().then(
      () => {
        running = undefined;
        sleep();
      },
      (error: unknown) => {
        running = undefined;
        retryLater(error);
      },
    );
  }

  function retryLater(error: unknown): void {
    if (isStopped) return;
    if (storage.note(error) === null) {
      log.error({ err: error }, 'could not publish scheduled posts');
      health.report(healthSource, 'Scheduled posts could not be published, and will be retried.');
    }
    clearTimeout(timer);
    timer = setTimeout(run, retryMilliseconds).unref();
  }

  return {
    /** Publishes at once what became due while the server was off. */
    start(): void {
      isStarted = true;
      run();
    },

    /** Call after a change of a schedule. */
    wake(): void {
      if (isStarted && !running) sleep();
    },

    publishDue,

    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

const isScheduled = and(isNotNull(blogPosts.scheduledAt), isLive);
