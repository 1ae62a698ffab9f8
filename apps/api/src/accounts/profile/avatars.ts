import type { AvatarSaved } from '@app/contract/accounts/avatars';
import type { ImageRefusal } from '@app/contract/images';
import type { Database, DatabaseOrTransaction } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import pLimit from 'p-limit';
import { insertAuthorJobs } from '../../blog/publishing/author-jobs.ts';
import type { Clock } from '../../clock.ts';
import { busy, type ImageProcessor } from '../../images/image-processor.ts';
import type { Log } from '../../log.ts';
import type { PublishJob } from '../../publishing/jobs.ts';
import type { Publisher } from '../../publishing/publisher.ts';
import { findLiveSession } from '../sessions/live-session.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { avatarUrlOf, createAvatarFiles, uploadTimeOf } from './avatar-files.ts';

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
  images: ImageProcessor;
  dataDir: string;
}

/** For pages that cannot be updated. */
const maxOutdatedMilliseconds = 60 * 60 * 1_000;

/**
 * Avatars. Files are written before the row that refers to them, and move to the trash once no page
 * shows them; files left by a crash are found by the sweep.
 */
export function createAvatars({ db, clock, log, publisher, images, dataDir }: AvatarParts) {
  const files = createAvatarFiles(dataDir);
  // The sweep must not run between writing a file and its row.
  const inMutex = pLimit(1);
  const pending = new Set<Promise<void>>();

  /** @returns false if the session has ended */
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
      return { userId, before: uploadTimeOf(before), jobs: insertAuthorJobs(tx, now, userId) };
    });
    if (!changed) return false;
    runInBackground(updatePages(changed.jobs, changed.userId, changed.before));
    return true;
  }

  async function updatePages(
    jobs: readonly PublishJob[],
    userId: string,
    before: number | null,
  ): Promise<void> {
    // Failed pages still show it. The sweep removes it once they have been retried.
    if (!(await publisher.publishInBackground(jobs)) || before === null) return;
    // Not later ones, which other pages may need.
    const times = await files.timesOf(userId);
    await files.discard(
      userId,
      times.filter((time) => time <= before),
      clock.now(),
    );
  }

  function runInBackground(work: Promise<void>): void {
    const promise: Promise<void> = work
      .catch((error: unknown) => log.error({ err: error }, 'could not remove an old avatar'))
      .finally(() => pending.delete(promise));
    pending.add(promise);
  }

  /**
   * Moves unused files to the trash unless a page may still show them, restores files that the
   * database refers to again, and empties the trash.
   */
  const sweep = (): Promise<void> =>
    inMutex(async () => {
      if (pending.size > 0) return;
      const now = clock.now();
      const hasPendingPages = (await publisher.depth()) > 0;
      for (const owner of await files.owners()) {
        const profile = findAvatar(db, owner);
        if (hasPendingPages && profile && now - profile.updatedAt < maxOutdatedMilliseconds)
          continue;
        await files.keepOnly(owner, profile?.avatarUrl ?? null, now);
      }
      await files.emptyTrash(now);
    });

  return {
    /** Checked before the upload is read. */
    isBusy: images.isFull,

    async save(
      user: SignedIn,
      bytes: Uint8Array,
    ): Promise<AvatarSaved | { refused: ImageRefusal } | typeof busy | typeof sessionEnded> {
      const { userId } = user;
      const cropped = await images.cropToSquare(bytes, userId);
      if (cropped === busy || 'refused' in cropped) return cropped;
      return inMutex(async () => {
        // Browsers cache an avatar for a year, so a name is never reused.
        const time = Math.max(clock.now(), ...(await files.timesOf(userId)).map((at) => at + 1));
        const avatarUrl = avatarUrlOf(userId, time);
        await files.write(userId, time, cropped);
        if (await setAvatar(user, avatarUrl)) return { avatarUrl };
        await files.discard(userId, [time], clock.now());
        return sessionEnded;
      });
    },

    remove: (user: SignedIn): Promise<boolean> => inMutex(() => setAvatar(user, null)),

    removeAll: (userId: string): Promise<void> => inMutex(() => files.removeAll(userId)),

    read: files.read,

    /** A failure is only logged (spec §8). */
    async start(): Promise<void> {
      try {
        await files.prepare();
        await sweep();
      } catch (error) {
        log.error({ err: error }, 'could not set up avatar storage');
      }
    },

    sweep,

    async settled(): Promise<void> {
      await Promise.all(pending);
    },
  };
}
