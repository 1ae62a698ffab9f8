import type { Database, Transaction } from '@app/db/open';
import type { accountDeletions } from '@app/db/schema/accounts';
import type { Change } from '../../publishing/log.ts';

export interface ExportedFile {
  /** Path inside the zip. */
  name: string;
  input: string | Uint8Array;
  lastModified: Date;
}

/**
 * Called in the transaction that changes a user's name, avatar or role: logs the pages that show it.
 */
export type LogByline = (tx: Transaction, now: number, userId: string) => void;

export const logBylineOf =
  (features: readonly { logByline?: LogByline }[]): LogByline =>
  (...args) => {
    for (const feature of features) feature.logByline?.(...args);
  };

/** Includes the choice of what happens to published posts. */
export type Deletion = typeof accountDeletions.$inferSelect;

/**
 * What a feature does with a user's data. `close` runs in the transaction that has checked the
 * session; `detach` and `delete` run later, without a session.
 */
export interface UserData {
  /** Fields of account.json, without secrets or their hashes. Times are ISO 8601 in UTC. */
  exportFields?(
    db: Database,
    user: { userId: string; email: string },
  ): Readonly<Record<string, unknown>>;
  /** Files of the export in addition to account.json. */
  exportFiles?(db: Database, userId: string): AsyncIterable<ExportedFile>;
  /** Called when the account is closed for good. Deletes what must be gone at once. */
  close?(tx: Transaction, userId: string): void;
  /**
   * Deletes the rest, or removes the user from it, in short transactions. Runs again after a crash
   * or a failure.
   * @returns after each transaction, the pages that change
   */
  detach?(deletion: Deletion): AsyncIterable<Change>;
  /** Called last, as the account is deleted. @returns a function that removes files afterwards */
  delete?(tx: Transaction, userId: string): () => Promise<void>;
}
