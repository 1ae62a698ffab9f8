import { existsSync, rmSync, statSync } from 'node:fs';

/** `-client_wal_index` says how far the replica is. */
const suffixes = ['', '-wal', '-shm', '-client_wal_index'];

const filesOf = (file: string): string[] => suffixes.map((suffix) => `${file}${suffix}`);

/** All of them: with some missing, libsql would continue with an empty database. */
export function deleteReplica(file: string): void {
  for (const each of filesOf(file)) rmSync(each, { force: true });
}

export const hasReplica = (file: string): boolean =>
  (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** As after some of its files were copied or deleted. */
export const isIncomplete = (file: string): boolean =>
  !hasReplica(file) && filesOf(file).some((each) => existsSync(each));

/** Changes while a sync writes. */
export const progressOf = (file: string): string =>
  filesOf(file)
    .map((each) => {
      const stats = statSync(each, { throwIfNoEntry: false });
      return `${stats?.size} ${stats?.mtimeMs}`;
    })
    .join();
