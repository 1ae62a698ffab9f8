import type { CopySide } from '@app/db/move/copy-database';
import { type Move, moveOf } from '@app/db/move/move-state';
import type { Database } from '@app/db/open';
import { caughtUp } from '@app/db/write-transaction';
import { CommandError } from '../../cli/errors.ts';

/** The database that receives everything. */
export interface Destination extends CopySide {
  /** For people. */
  name: string;
  /** What a move that was interrupted has left. */
  incomplete(): Move | null;
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

/** Each takes a second. */
const maxAttempts = 600;

/** Until what was written can be read from the file. @throws {CommandError} */
export async function untilCaughtUp(db: Database, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !(await caughtUp(db)); attempt += 1) {
    signal.throwIfAborted();
    if (attempt < maxAttempts) continue;
    throw new CommandError(
      'database_unavailable',
      'The database server does not send its changes.',
    );
  }
}
