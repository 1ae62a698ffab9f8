import type { CopySide } from '@app/db/move/copy-database';
import { type Move, moveOf } from '@app/db/move/move-state';
import type { Database } from '@app/db/open';
import { caughtUp } from '@app/db/write-transaction';
import { CommandError } from '../../cli/errors.ts';

export interface MoveSide extends CopySide {
  /** Why the file cannot be synced with the database; null if it can. */
  failure(): Error | null;
}

export interface Destination extends MoveSide {
  /** Shown to the operator. */
  name: string;
  /** Whether it has the copy of a move that was interrupted after its source was marked as moved. */
  isCopyOf(move: Pick<Move, 'id'>): boolean;
  /** Creates the tables. @throws {CommandError} if it is in use */
  begin(move: Pick<Move, 'id' | 'other'>): Promise<void>;
  /** Call it once the source is marked as moved. @returns the folder with the replaced files */
  complete(move: Pick<Move, 'id'>): Promise<string | null>;
  /** Call it instead of `complete`. The next move continues from here. */
  close(): Promise<void>;
}

export function incompleteMoveOf({ $client: client }: Database): Move | null {
  const move = moveOf(client);
  return move?.state === 'incomplete' ? move : null;
}

/** Waits until everything written is in the file. @throws {CommandError} if syncing fails */
export async function untilCaughtUp(side: MoveSide, signal: AbortSignal): Promise<void> {
  while (!(await caughtUp(side.db))) {
    signal.throwIfAborted();
    const failure = side.failure();
    if (failure) throw new CommandError('database_unavailable', failure.message);
  }
}
