import { parentPort, workerData } from 'node:worker_threads';
import SqliteClient from 'better-sqlite3';
import type { CheckpointWork } from './checkpoint.ts';
import { needsCheckpoint } from './write-ahead-log.ts';

/** Intervals without work until the thread ends. */
const maxIdleIntervals = 5;

const { file, interval } = workerData as CheckpointWork;
const client = new SqliteClient(file, { timeout: 0, fileMustExist: true });

function emptyLog(): void {
  // PASSIVE blocks neither readers nor writers. The second call copies what was written during the
  // first one.
  client.pragma('wal_checkpoint(PASSIVE)');
  client.pragma('wal_checkpoint(PASSIVE)');
  // Holds the write lock for the few remaining pages. Does nothing while another process reads or
  // writes.
  client.pragma('wal_checkpoint(TRUNCATE)');
}

let idleIntervals = 0;

function checkpoint(): void {
  try {
    idleIntervals = needsCheckpoint(file) ? 0 : idleIntervals + 1;
    if (idleIntervals === 0) emptyLog();
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    parentPort?.postMessage({ message, code });
  }
  if (idleIntervals === maxIdleIntervals) clearInterval(timer);
}

const timer = setInterval(checkpoint, interval);
// Sent when the server stops, because the thread must not be terminated: see checkpoint.ts.
parentPort?.on('message', () => clearInterval(timer)).unref();
checkpoint();
