import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

/** Where a form's submissions are stored, and which of its columns an export shows. */
export interface SubmissionTable {
  form: string;
  table: SQLiteTable & { createdAt: SQLiteColumn };
  /** Texts, lists of texts, and times. */
  columns: readonly SQLiteColumn[];
}
