import type { CopySide } from '@app/db/move/copy-database';
import { type Move, moveOf } from '@app/db/move/move-state';
import type { Database } from '@app/db/open';
import { caughtUp } from '@app/db/write-transaction';
import { CommandError } from '../../cli/errors.ts';

export interface MoveSide extends CopySide {
  /** Why the file cannot follow the database; null if it does. */
  failure(): Error | null;
}

/** The database that receives everything. */
export interface Destination extends MoveSide {
  /** For people. */
  name: string;
  /** Whether it has the copy of this move, which was interrupted after its source was left. */
  isCopyOf(move: Pick<Move, 'id'>): boolean;
  /** Creates the tables. @throws {CommandError} if it is in use */
  begin(move: Pick<Move, 'id' | 'other'>): Promise<void>;
  /** After the source was left. @returns the folder with files that were replaced */
  complete(move: Pick<Move, 'id'>): Promise<string | null>;
  /** Instead of `complete`. The next move continues. */
  close(): Promise<void>;
}

export function incompleteMoveOf({ $client: client }: Database): Move | null {
  const move = moveOf(client);
  return move?.state === 'incomplete' ? move : null;
}

/** Until what was written can be read from the file. @throws {CommandError} if it cannot */
export async function untilCaughtUp(side: MoveSide, signal: AbortSignal): Promise<void> {
  while (!(await caughtUp(side.db))) {
    signal.throwIfAborted();
    const failure = side.failure();
    if (failure) throw new CommandError('database_unavailable', failure.message);
  }
}
