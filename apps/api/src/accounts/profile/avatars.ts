import type { AvatarSaved } from '@app/contract/accounts/avatars';
import { hour } from '@app/contract/durations';
import type { Database, DatabaseOrTransaction } from '@app/db/open';
import { profiles } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { Clock } from '../../clock.ts';
import type { ImageFailure, ImageProcessor } from '../../images/image-processor.ts';
import type { Log } from '../../log.ts';
import type { Publisher } from '../../publishing/publisher.ts';
import { findLiveSession } from '../sessions/live-session.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { type AvatarFiles, avatarUrlOf, uploadTimeOf, type WantedAvatar } from './avatar-files.ts';
import type { LogByline } from './user-data.ts';

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
  logByline: LogByline;
  images: ImageProcessor;
  files: AvatarFiles;
  /** Whether files without a row may be removed. */
  ownsFiles(): Promise<boolean>;
}

/** How long a page that cannot be updated may show an old avatar. */
const maxOutdatedMilliseconds = hour;

/**
 * Files are written before the row that refers to them, and moved to the trash once no page shows
 * them. The sweep finds files that a crash left behind.
 */
export function createAvatars({
  db,
  clock,
  log,
  publisher,
  logByline,
  images,
  files,
  ownsFiles,
}: AvatarParts) {
  // The sweep must not run between writing a file and its row. In a bucket, files are protected by
  // their age instead.
  const inMutex = pLimit(files.isShared ? Number.POSITIVE_INFINITY : 1);
  const pending = new Set<Promise<void>>();

  /**
   * @param confirm throws if the files may be gone
   * @returns 'taken' if another server has just saved an avatar with this URL
   */
  async function setAvatar(
    user: SignedIn,
    avatarUrl: string | null,
    confirm: () => void = () => undefined,
  ): Promise<'saved' | 'taken' | 'session ended'> {
    const changed = await writeTransaction(db, (tx) => {
      confirm();
      const now = clock.now();
      const session = findLiveSession(tx, user, now);
      if (!session) return null;
      const { userId } = session;
      const before = findAvatar(tx, userId)?.avatarUrl ?? null;
      if (before === avatarUrl) return avatarUrl === null ? 'unchanged' : 'taken';
      const values = { avatarUrl, updatedAt: now };
      tx.insert(profiles)
        .values({ id: userId, ...values })
        .onConflictDoUpdate({ target: profiles.id, set: values })
        .run();
      logByline(tx, now, userId);
      return { userId, before: uploadTimeOf(before) };
    });
    if (!changed) return 'session ended';
    if (changed === 'taken') return 'taken';
    if (changed !== 'unchanged') {
      runInBackground(updatePages(changed.userId, changed.before));
    }
    return 'saved';
  }

  async function updatePages(userId: string, before: number | null): Promise<void> {
    await publisher.run();
    // Pages that failed still show the old avatar until they are retried.
    const isPublished = publisher.depth() === 0;
    // Pages of other servers may show it for a while, so the sweep removes it later.
    if (!isPublished || before === null || files.isShared) return;
    // Keeps later avatars, which other pages may need.
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
   * Moves unused files to the trash unless a page may still show them, and restores files that the
   * database refers to again.
   */
  const sweep = (): Promise<void> =>
    inMutex(async () => {
      if (pending.size > 0 || !(await ownsFiles())) return;
      const now = clock.now();
      const mayBeShown = files.isShared || publisher.depth() > 0;
      const find = (reader: DatabaseOrTransaction, userId: string): WantedAvatar => {
        const profile = findAvatar(reader, userId);
        const isRecent = profile && now - profile.updatedAt < maxOutdatedMilliseconds;
        return mayBeShown && isRecent ? undefined : (profile?.avatarUrl ?? null);
      };
      const wanted = {
        peek: (userId: string) => find(db, userId),
        confirm: (userId: string) => writeTransaction(db, (tx) => find(tx, userId)),
      };
      await files.sweep(wanted, now);
    });

  return {
    async save(
      user: SignedIn,
      bytes: Uint8Array,
    ): Promise<AvatarSaved | ImageFailure | { refused: 'not_signed_in' }> {
      const { userId } = user;
      const cropped = await images.cropToSquare(bytes, userId);
      if ('refused' in cropped) return cropped;
      return inMutex(async () => {
        for (;;) {
          // Browsers cache an avatar for a year, so a name is never reused.
          const time = Math.max(clock.now(), ...(await files.timesOf(userId)).map((at) => at + 1));
          const avatarUrl = avatarUrlOf(userId, time);
          const confirm = await files.write(userId, time, cropped);
          const result = await setAvatar(user, avatarUrl, confirm);
          if (result === 'saved') return { avatarUrl };
          if (result === 'taken') continue;
          // Not moved to the trash, because the account may have been deleted.
          await files.remove(userId, time);
          return { refused: 'not_signed_in' };
        }
      });
    },

    /** @returns false if the session has ended */
    remove: (user: SignedIn): Promise<boolean> =>
      inMutex(async () => (await setAvatar(user, null)) === 'saved'),

    removeAll: (userId: string): Promise<void> => inMutex(() => files.removeAll(userId)),

    read: files.read,

    /** A failure is only logged (spec §8). */
    async start(): Promise<void> {
      try {
        await files.prepare();
        // Starting the server does not wait for a bucket.
        if (!files.isShared) await sweep();
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
