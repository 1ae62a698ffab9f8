import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';

/** `-client_wal_index` contains the position of the replica. */
const suffixes = ['', '-wal', '-shm', '-client_wal_index'];

const filesOf = (file: string): string[] => suffixes.map((suffix) => `${file}${suffix}`);

/** Deletes all of its files: with some missing, libsql would continue with an empty database. */
export function deleteReplica(file: string): void {
  for (const each of filesOf(file)) rmSync(each, { force: true });
}

export const hasReplica = (file: string): boolean =>
  (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Happens when only some of its files were copied or deleted. */
export const isIncomplete = (file: string): boolean =>
  !hasReplica(file) && filesOf(file).some((each) => existsSync(each));

/** How much of the server's log a replica has. */
export interface ReplicaPosition {
  /** Identifies the server's log. A server that starts without its log files begins a new one. */
  log: string;
  /** The number of pages that were logged up to the last commit. */
  frame: bigint;
}

const positionLength = 24;

/** Null before the first sync, or if the file has another format. */
export function positionOf(file: string): ReplicaPosition | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(`${file}-client_wal_index`);
  } catch {
    return null;
  }
  if (bytes.length < positionLength) return null;
  return { log: bytes.toString('hex', 0, 16), frame: bytes.readBigUInt64LE(16) };
}

/** Changes while a sync writes. */
export const progressOf = (file: string): string =>
  filesOf(file)
    .map((each) => {
      const stats = statSync(each, { throwIfNoEntry: false });
      return `${stats?.size} ${stats?.mtimeMs}`;
    })
    .join();
