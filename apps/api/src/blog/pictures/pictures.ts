import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { writingMessages } from '@app/contract/blog/messages';
import type { UsedPicture } from '@app/contract/blog/pages';
import type { Picture, PictureDeleted, PictureList } from '@app/contract/blog/picture-replies';
import { picturePath } from '@app/contract/blog/pictures';
import { day } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import type { Database, DatabaseOrTransaction, Transaction } from '@app/db/open';
import { pictures, trashedPictures } from '@app/db/schema/pictures';
import { writeTransaction } from '@app/db/write-transaction';
import { and, asc, count, desc, eq, gt, inArray, not, type SQL, sql } from 'drizzle-orm';
import type { SessionUser } from '../../accounts/sessions/live-session.ts';
import type { AuthoringSettings } from '../../accounts/sessions/permissions.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { batchesOf } from '../../batches.ts';
import { type Clock, toIso } from '../../clock.ts';
import type { ImageFailure, ImageProcessor } from '../../images/image-processor.ts';
import type { Log } from '../../log.ts';
import { S3Error } from '../../s3/errors.ts';
import type { DiskSpace } from '../../server/health/disk-space.ts';
import { encodeCursor, isOlder, readCursor, toPage } from '../posts/cursor.ts';
import { type QuotaRefusal, refuseSpace } from '../posts/quotas.ts';
import { findWriter, type PostRefusal, refuse } from '../posts/writing-access.ts';
import { findUses } from './find-uses.ts';
import { largestFile, type PictureFiles } from './picture-files.ts';
import { isUsed } from './picture-uses.ts';
import { type PictureRow, storePicture } from './store-picture.ts';
import {
  addTrashedPictures,
  deleteTrashedPictures,
  findExcessPictures,
} from './trashed-pictures.ts';

/** Per account, except staff. The bytes include those of pictures in the trash. */
const maxPictures = 1_000;
const maxBytes = 524_288_000;

/** In milliseconds since the last use. */
const unusedLifetime = 30 * day;

const pageSize = 24;
/** Rows per turn of the event loop in the cleanup. */
const rowsAtOnce = 200;

interface PicturesParts {
  db: Database;
  clock: Clock;
  log: Log;
  images: ImageProcessor;
  diskSpace: DiskSpace;
  files: PictureFiles;
  /** Whether files without a row may be removed. */
  ownsFiles(): Promise<boolean>;
  settings: AuthoringSettings;
}

export type Pictures = ReturnType<typeof createPictures>;

/** Pictures for posts. A picture's files are removed after its row. */
export function createPictures({
  db,
  clock,
  log,
  images,
  diskSpace,
  files,
  ownsFiles,
  settings,
}: PicturesParts) {
  const selectPictures = () =>
    db.select({ picture: pictures, isUsed: sql<number>`${isUsed}` }).from(pictures);

  return {
    /** Checked before the upload is processed, and again when it is stored. */
    refuseFull: (user: SignedIn): QuotaRefusal | null => refusePicture(db, user, 0),

    async save(
      user: SignedIn,
      upload: { bytes: Uint8Array; alt: string },
    ): Promise<Picture | { refusedImage: ImageFailure } | PostRefusal> {
      const resized = await images.resizePicture(upload.bytes, user.userId);
      if ('refused' in resized) return { refusedImage: resized };
      const id = randomBytes(12).toString('hex');
      const { userId } = user;
      const picture = { id, userId, alt: upload.alt, images: resized, now: clock.now() };
      const stored = await storePicture({ db, files }, picture, (tx, row) => {
        const writer = findWriter(tx, settings, user, clock.now());
        if ('refused' in writer) return writer;
        return refuseSpace(diskSpace, writer.role) ?? refusePicture(tx, writer, row.bytes);
      });
      return 'refused' in stored ? stored : toPicture(stored, false);
    },

    /**
     * The user's own pictures, newest first. Undefined for an invalid cursor.
     * @param query part of the description
     */
    list(
      { userId }: SignedIn,
      { cursor, query = '' }: { cursor?: string | undefined; query?: string | undefined } = {},
    ): PictureList | undefined {
      const after = readCursor(cursor);
      if (after === null) return undefined;
      const wanted = query.trim().slice(0, limits.pictureSearch);
      const rows = selectPictures()
        .where(
          and(
            eq(pictures.userId, userId),
            wanted === ''
              ? undefined
              : sql`${pictures.alt} like ${`%${escapeLike(wanted)}%`} escape '\\'`,
            isOlder(pictures.createdAt, pictures.id, after),
          ),
        )
        .orderBy(desc(pictures.createdAt), desc(pictures.id))
        .limit(pageSize + 1)
        .all();
      const { shown, nextCursor } = toPage(rows, pageSize, ({ picture }) => encodeCursor(picture));
      return {
        pictures: shown.map(({ picture, isUsed }) => toPicture(picture, isUsed === 1)),
        nextCursor,
      };
    },

    withUses: (user: SignedIn, list: readonly Picture[]): UsedPicture[] =>
      findUses({ db, settings }, user, list),

    /** Moves a picture to the trash, unless it is in use. */
    async remove(
      user: SignedIn,
      id: string,
    ): Promise<PictureDeleted | PostRefusal | { refused: 'in_use' }> {
      const removed = await writeTransaction(db, (tx) => {
        const writer = findWriter(tx, settings, user, clock.now());
        if ('refused' in writer) return writer;
        const isTheirs = and(eq(pictures.id, id), eq(pictures.userId, writer.userId));
        if (!tx.select().from(pictures).where(isTheirs).get()) return refuse('not_found');
        if (isInUse(tx, id)) return refuse('in_use');
        const rows = tx.delete(pictures).where(isTheirs).returning().all();
        addTrashedPictures(tx, rows, clock.now());
        return { deleted: true as const };
      });
      if ('deleted' in removed) await discard(id);
      return removed;
    },

    changeAlt(user: SignedIn, id: string, alt: string): Promise<Picture | PostRefusal> {
      return writeTransaction(db, (tx) => {
        const writer = findWriter(tx, settings, user, clock.now());
        if ('refused' in writer) return writer;
        const isTheirs = and(eq(pictures.id, id), eq(pictures.userId, writer.userId));
        const [row] = tx.update(pictures).set({ alt }).where(isTheirs).returning().all();
        return row ? toPicture(row, isInUse(tx, id)) : refuse('not_found');
      });
    },

    read: files.read,

    /** For the export: a user's pictures with their largest file, oldest first. */
    async *ofUser(userId: string): AsyncGenerator<{ picture: Picture; file: Buffer | null }> {
      const rows = selectPictures()
        .where(eq(pictures.userId, userId))
        .orderBy(asc(pictures.createdAt))
        .all();
      for (const { picture, isUsed } of rows) {
        const file = await files.read(picture.id, largestFile(picture));
        yield { picture: toPicture(picture, isUsed === 1), file };
      }
    },

    /**
     * Deletes the pictures of an account that is being deleted, in short transactions. Those that a
     * published post shows stay, without an owner.
     */
    async detach(userId: string): Promise<void> {
      for (;;) {
        const { found, deleted } = await writeTransaction(db, (tx) => detachSome(tx, userId));
        if (found === 0) return;
        for (const id of deleted) {
          await files.remove(id).catch((error: unknown) => {
            // The cleanup will move it to the trash, as after a crash.
            log.error({ err: error }, 'could not remove a picture of a deleted account');
          });
        }
      }
    },

    /** Call after `deleteTrashedPicturesOf` is committed. */
    async removeTrashed(ids: readonly string[]): Promise<void> {
      // If a bucket failed, the files of some were not moved to the trash.
      for (const id of withoutRow(db, ids)) await files.remove(id);
      await files.removeTrashed(ids);
    },

    /**
     * Moves pictures that have been unused for 30 days, and files left by a crash, to the trash.
     * Deletes pictures in the trash that exceed the limits of an account.
     */
    async sweep(): Promise<void> {
      for (let after = ''; ; await nextTurn()) {
        const rows = selectPictures()
          .where(gt(pictures.id, after))
          .orderBy(asc(pictures.id))
          .limit(rowsAtOnce)
          .all();
        for (const id of await updateUses(rows)) await discard(id);
        if (rows.length < rowsAtOnce) break;
        after = rows.at(-1)?.picture.id ?? '';
      }
      if (!(await ownsFiles())) return;
      for (const ids of batchesOf(await files.candidates(), rowsAtOnce)) {
        const left = withoutRow(db, ids);
        if (left.length > 0) {
          await files.discardOrphans(db, (tx) => withoutRow(tx, left), clock.now());
        }
        await nextTurn();
      }
      await files.removeStaged(clock.now() - day);
      for (const ids of batchesOf(findExcessPictures(db), rowsAtOnce)) {
        await files.removeTrashed(ids);
        await deleteTrashedPictures(db, ids);
      }
    },
  };

  /** Call after the row is deleted. */
  async function discard(id: string): Promise<void> {
    try {
      await files.discard(id, clock.now());
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      // The cleanup will move it, as after a crash.
      log.warn({ err: error }, 'could not move a deleted picture to the trash');
    }
  }

  /** @returns the ids of pictures whose rows were deleted */
  async function updateUses(
    rows: readonly { picture: PictureRow; isUsed: number }[],
  ): Promise<string[]> {
    const now = clock.now();
    const idsOf = (matches: (picture: PictureRow, isUsed: boolean) => boolean) =>
      rows.filter((row) => matches(row.picture, row.isUsed === 1)).map((row) => row.picture.id);
    const used = idsOf(({ unusedSince }, isUsed) => isUsed && unusedSince !== null);
    const unused = idsOf(
      // A time in the future was set while the clock was ahead.
      ({ unusedSince }, isUsed) => !isUsed && (unusedSince === null || unusedSince > now),
    );
    const expired = idsOf(
      ({ unusedSince }, isUsed) =>
        !isUsed && unusedSince !== null && unusedSince <= now - unusedLifetime,
    );
    if (used.length + unused.length + expired.length === 0) return [];
    return writeTransaction(db, (tx) => {
      tx.update(pictures).set({ unusedSince: null }).where(inArray(pictures.id, used)).run();
      tx.update(pictures).set({ unusedSince: now }).where(inArray(pictures.id, unused)).run();
      const deleted = deleteUnused(tx, inArray(pictures.id, expired));
      addTrashedPictures(tx, deleted, now);
      return deleted.map(({ id }) => id);
    });
  }
}

/** A picture may have thousands of uses, which are deleted with it. */
const detachedAtOnce = 5;

function detachSome(tx: Transaction, userId: string): { found: number; deleted: string[] } {
  const isTheirs = eq(pictures.userId, userId);
  const some = tx.select({ id: pictures.id }).from(pictures).where(isTheirs).limit(detachedAtOnce);
  const ids = some.all().map(({ id }) => id);
  const among = inArray(pictures.id, ids);
  tx.update(pictures).set({ userId: null }).where(among).run();
  return { found: ids.length, deleted: deleteUnused(tx, among).map(({ id }) => id) };
}

const deleteUnused = (tx: Transaction, which: SQL): PictureRow[] =>
  tx
    .delete(pictures)
    .where(and(which, not(isUsed)))
    .returning()
    .all();

function withoutRow(db: DatabaseOrTransaction, ids: readonly string[]): string[] {
  const { id } = pictures;
  const rows = db.select({ id }).from(pictures).where(inArray(id, ids)).all();
  return ids.filter((file) => !rows.some((row) => row.id === file));
}

const isInUse = (tx: Transaction, id: string): boolean =>
  tx
    .select({ id: pictures.id })
    .from(pictures)
    .where(and(eq(pictures.id, id), isUsed))
    .get() !== undefined;

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const toPicture = (row: PictureRow, isUsed: boolean): Picture => {
  const { id, width, height, bytes, alt, createdAt } = row;
  const path = picturePath(row);
  return {
    id,
    path,
    width,
    height,
    bytes,
    alt,
    createdAt: toIso(createdAt),
    isUsed,
  };
};

function refusePicture(
  db: DatabaseOrTransaction,
  { userId, role }: Pick<SessionUser, 'userId' | 'role'>,
  bytes: number,
): QuotaRefusal | null {
  if (role === 'staff') return null;
  const stored = sizeOf(db, pictures, userId);
  const trashed = sizeOf(db, trashedPictures, userId);
  const isTooLarge = stored.bytes + trashed.bytes + bytes > maxBytes;
  if (stored.pictures < maxPictures && !isTooLarge) return null;
  const detail = writingMessages.tooManyPictures(maxPictures, maxBytes / 1_048_576);
  return { refused: 'quota', detail };
}

/** The number of an account's pictures, and the bytes of all of their files. */
function sizeOf(
  db: DatabaseOrTransaction,
  table: typeof pictures | typeof trashedPictures,
  userId: string,
): { pictures: number; bytes: number } {
  const bytes = sql<number>`coalesce(sum(${table.bytes}), 0)`;
  const row = db
    .select({ pictures: count(), bytes })
    .from(table)
    .where(eq(table.userId, userId))
    .get();
  return row ?? { pictures: 0, bytes: 0 };
}
