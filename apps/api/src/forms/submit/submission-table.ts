import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

/** Columns that an export contains. */
export interface SubmissionTable {
  form: string;
  table: SQLiteTable & { createdAt: SQLiteColumn };
  /** Texts, lists of texts, and times. */
  columns: readonly SQLiteColumn[];
}
