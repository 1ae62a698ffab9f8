import type { Database, Transaction } from '@app/db/open';
import type { accountDeletions } from '@app/db/schema/accounts';
import type { PublishJob } from '../../publishing/jobs.ts';

export interface ExportedFile {
  /** Inside the zip. */
  name: string;
  input: string | Uint8Array;
  lastModified: Date;
}

/** With the choice of what becomes of published posts. */
export type Deletion = typeof accountDeletions.$inferSelect;

/**
 * What a feature stores of a user. `insertBylineJobs` and `close` run in the transaction that has
 * checked the session; the deletion goes on without one.
 */
export interface UserData {
  /** When the name or the avatar changes. @returns the jobs of the pages that show it */
  insertBylineJobs?(tx: Transaction, now: number, userId: string): PublishJob[];
  /** For account.json, by field. Excludes secrets and their hashes. Times are ISO 8601 in UTC. */
  exportFields?(
    db: Database,
    user: { userId: string; email: string },
  ): Readonly<Record<string, unknown>>;
  /** Besides account.json. */
  exportFiles?(db: Database, userId: string): AsyncIterable<ExportedFile>;
  /** When the account is closed for good: what has to be gone at once. */
  close?(tx: Transaction, userId: string): void;
  /**
   * Deletes the rest, or removes the user from what remains, in transactions that others do not
   * notice. After a crash or a failure it runs again.
   * @returns the jobs of the pages that change, after each transaction
   */
  detach?(deletion: Deletion): AsyncIterable<PublishJob[]>;
  /** When the account is deleted, at last. @returns what removes files, after the commit */
  delete?(tx: Transaction, userId: string): () => Promise<void>;
}

export const insertBylineJobs = (
  userData: readonly UserData[],
  tx: Transaction,
  now: number,
  userId: string,
): PublishJob[] => userData.flatMap((feature) => feature.insertBylineJobs?.(tx, now, userId) ?? []);
