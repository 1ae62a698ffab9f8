import type { AvatarRefusal, AvatarSaved } from '@app/contract/accounts/avatars';
import type { Database, DatabaseOrTransaction } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import pLimit from 'p-limit';
import { insertAuthorJobs } from '../../blog/author-jobs.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { PublishJob } from '../../publishing/jobs.ts';
import type { Publisher } from '../../publishing/publisher.ts';
import { findLiveSession } from '../sessions/live-session.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { avatarUrlOf, createAvatarFiles, timeOf } from './avatar-files.ts';
import { busy, createImageProcessor } from './pictures.ts';

/** The session that asks ended meanwhile. */
export const sessionEnded = Symbol('session over');

const findAvatar = (db: DatabaseOrTransaction, userId: string) =>
  db
    .select({ avatarUrl: profiles.avatarUrl, updatedAt: profiles.updatedAt })
    .from(profiles)
    .where(eq(profiles.id, userId))
    .get();

export type Avatars = ReturnType<typeof createAvatars>;

interface AvatarParts {
  db: Database;
  clock: Clock;
  log: Log;
  publisher: Publisher;
  dataDir: string;
}

/** How long a page that cannot be written keeps the picture that it shows, in milliseconds. */
const maxOutdatedMilliseconds = 60 * 60 * 1_000;

/**
 * People's pictures. The files are written before the row that names them, and go to the trash
 * when no page shows them any more: what a crash leaves in between is a file that no row names,
 * which the sweep finds.
 */
export function createAvatars({ db, clock, log, publisher, dataDir }: AvatarParts) {
  const files = createAvatarFiles(dataDir);
  const pictures = createImageProcessor(log);
  // From the first byte that is written to the row that names it: a sweep in between would take it away.
  const exclusively = pLimit(1);
  const underway = new Set<Promise<void>>();

  /**
   * Names another picture, or none, in somebody's row; their pages follow behind. False when the
   * session that asks ended meanwhile.
   */
  async function setAvatar(user: SignedIn, avatarUrl: string | null): Promise<boolean> {
    const changed = await writeTransaction(db, (tx) => {
      const now = clock.now();
      const session = findLiveSession(tx, user, now);
      if (!session) return null;
      const { userId } = session;
      const before = findAvatar(tx, userId)?.avatarUrl ?? null;
      if (before === avatarUrl) return { userId, before: null, jobs: [] };
      const values = { avatarUrl, updatedAt: now };
      tx.insert(profiles)
        .values({ id: userId, ...values })
        .onConflictDoUpdate({ target: profiles.id, set: values })
        .run();
      return { userId, before: timeOf(before), jobs: insertAuthorJobs(tx, now, userId) };
    });
    if (!changed) return false;
    inBackground(follow(changed.jobs, changed.userId, changed.before));
    return true;
  }

  /** Brings somebody's pages up to date, and removes the picture that they showed before. */
  async function follow(
    jobs: readonly PublishJob[],
    userId: string,
    before: number | null,
  ): Promise<void> {
    // Pages that failed still show it; they are tried again, and then it is the sweep's.
    if (!(await publisher.publishInBackground(jobs)) || before === null) return;
    // And no later one: it may stand on pages that are yet to follow a later change.
    const times = await files.timesOf(userId);
    await files.discard(
      userId,
      times.filter((time) => time <= before),
      clock.now(),
    );
  }

  function inBackground(work: Promise<void>): void {
    const watched: Promise<void> = work
      .catch((error: unknown) => log.error({ err: error }, 'could not remove an old avatar'))
      .finally(() => underway.delete(watched));
    underway.add(watched);
  }

  /**
   * Moves the files that no row names to the trash, unless a page may still show them; brings
   * those back that a restored database names again; and empties the trash.
   */
  const sweep = (): Promise<void> =>
    exclusively(async () => {
      if (underway.size > 0) return;
      const now = clock.now();
      const pagesWait = (await publisher.depth()) > 0;
      for (const owner of await files.owners()) {
        const profile = findAvatar(db, owner);
        if (pagesWait && profile && now - profile.updatedAt < maxOutdatedMilliseconds) continue;
        await files.keepOnly(owner, profile?.avatarUrl ?? null, now);
      }
      await files.emptyTrash(now);
    });

  return {
    /** Whether one more picture would be refused as `busy`: asked before its bytes are read. */
    isBusy: pictures.isFull,

    /** A file becomes somebody's avatar, or is refused; leaves no file when their session ended meanwhile. */
    async save(
      user: SignedIn,
      bytes: Uint8Array,
    ): Promise<AvatarSaved | { refused: AvatarRefusal } | typeof busy | typeof sessionEnded> {
      const { userId } = user;
      const squared = await pictures.square(bytes);
      if (squared === busy || 'refused' in squared) return squared;
      return exclusively(async () => {
        // Never a name that was there before: browsers keep what they got under it for a year.
        const time = Math.max(clock.now(), ...(await files.timesOf(userId)).map((at) => at + 1));
        const avatarUrl = avatarUrlOf(userId, time);
        await files.write(userId, time, squared);
        if (await setAvatar(user, avatarUrl)) return { avatarUrl };
        await files.discard(userId, [time], clock.now());
        return sessionEnded;
      });
    },

    /** Somebody has no avatar any more; false when their session ended meanwhile. */
    remove: (user: SignedIn): Promise<boolean> => exclusively(() => setAvatar(user, null)),

    /** Deletes everything of an account that is gone, at once: its owner asked for that. */
    removeAll: (userId: string): Promise<void> => exclusively(() => files.removeAll(userId)),

    /** A picture by the two last parts of its address; null when there is none. */
    read: files.read,

    /** Makes the folder of the pictures when it is missing. A failure is only logged (spec §8). */
    async start(): Promise<void> {
      try {
        await files.prepare();
        await sweep();
      } catch (error) {
        log.error({ err: error }, 'could not set up avatar storage');
      }
    },

    sweep,

    /** Resolves when the pages that follow have followed. */
    async settled(): Promise<void> {
      await Promise.all(underway);
    },
  };
}
