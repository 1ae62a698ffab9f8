import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { compareDatabases, copyDatabase, countRows } from '@app/db/move/copy-database';
import type { Fingerprint } from '@app/db/move/fingerprints';
import { beginMove, endMove, finishMove, type Move, moveOf } from '@app/db/move/move-state';
import type { Database } from '@app/db/open';
import { outbox } from '@app/db/schema/email';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Progress } from '../../cli/progress.ts';
import type { Clock } from '../../clock.ts';
import { type Destination, type MoveSide, untilCaughtUp } from './destination.ts';

/** In milliseconds. After this time, the database itself accepts writes again. */
const maxReadOnly = 60_000;
/** In milliseconds, for emails that are being sent when writes are first refused. */
const maxEmailWait = 10_000;
const pollInterval = 50;

interface MoveOptions {
  move: Pick<Move, 'id'>;
  signal: AbortSignal;
  clock: Clock;
  onProgress: Progress;
}

export interface Moved {
  tables: Fingerprint[];
  /** How long writes were refused; null if that was in an earlier run. */
  readOnlyMilliseconds: number | null;
}

export class MoveTooSlow extends Error {
  override name = 'MoveTooSlow';
}

/**
 * Copies everything while the source is in use. Then refuses writes, copies the changes since and
 * compares both databases. In the end, the source is marked as moved or, on failure, writable again.
 */
export async function moveDatabase(
  source: MoveSide,
  destination: Destination,
  options: MoveOptions,
): Promise<Moved> {
  const { signal, onProgress } = options;
  const rows = countRows(source.file);
  onProgress(`Copying ${rows} rows to ${destination.name} …`);
  await copyDatabase(source, destination, {
    signal,
    onRows: (written) => onProgress(written / rows),
  });
  await untilCaughtUp(destination, signal);
  const began = performance.now();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(tooSlow()), maxReadOnly);
  try {
    const both = AbortSignal.any([signal, deadline.signal]);
    const tables = await moveRest(source, destination, { ...options, signal: both });
    return { tables, readOnlyMilliseconds: Math.round(performance.now() - began) };
  } catch (error) {
    // If this also fails, the database accepts writes again after a while.
    await endMove(source.db, options.move.id).catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function moveRest(
  source: MoveSide,
  destination: Destination,
  { move, signal, clock, onProgress }: MoveOptions,
): Promise<Fingerprint[]> {
  const milliseconds = maxReadOnly;
  await beginMove(source.db, { ...move, other: destination.name, milliseconds });
  onProgress('Writes are refused now. Copying the last changes and comparing both databases …');
  await untilEmailsAreSent(source.db, clock, signal);
  for (;;) {
    await untilCaughtUp(source, signal);
    const begun = moveOf(source.db.$client);
    if (begun?.id !== move.id) throw tooSlow();
    await copyDatabase(source, destination, { signal });
    await untilCaughtUp(destination, signal);
    const tables = compareDatabases(source, destination);
    // Lets signals and timers run.
    await setImmediate();
    signal.throwIfAborted();
    // False if an email got its result in the meantime, which must be copied as well.
    if (await finishMove(source.db, begun)) return tables;
  }
}

const tooSlow = (): Error =>
  new MoveTooSlow(
    `The last changes could not be copied and compared within ${maxReadOnly / 1_000} seconds, so the site is writable again.`,
  );

/** Waits for emails that are being sent for the first time: the copy would lack their result. */
async function untilEmailsAreSent(db: Database, clock: Clock, signal: AbortSignal): Promise<void> {
  const sending = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        eq(outbox.state, 'queued'),
        eq(outbox.attempts, 1),
        isNull(outbox.lastError),
        gt(outbox.nextAttemptAt, clock.now()),
      ),
    );
  for (let waited = 0; waited < maxEmailWait && sending.get(); waited += pollInterval) {
    await pause(pollInterval, undefined, { signal });
  }
}
