import type { Database } from './open.ts';

/** Changes when another connection commits (sqlite.org/pragma.html#pragma_data_version). */
export const dataVersion = (db: Database): number =>
  Number(db.$client.pragma('data_version', { simple: true }));
