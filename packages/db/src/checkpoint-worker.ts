import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import SqliteClient from 'better-sqlite3';
import type { CheckpointWork } from './checkpoint.ts';

const { file, interval } = workerData as CheckpointWork;
const client = new SqliteClient(file, { timeout: 0, fileMustExist: true });

function emptyLog(): void {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (!log || log.size === 0) return;
  // PASSIVE blocks neither readers nor writers. The second copies what was written during the
  // first.
  client.pragma('wal_checkpoint(PASSIVE)');
  client.pragma('wal_checkpoint(PASSIVE)');
  // Holds the write lock for the few remaining pages. Does nothing while another process reads or
  // writes.
  client.pragma('wal_checkpoint(TRUNCATE)');
}

setInterval(() => {
  try {
    emptyLog();
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    parentPort?.postMessage({ message, code });
  }
}, interval);
