import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import Replica from 'libsql';
import { childEnvironment } from '../child-environment.ts';

export interface SyncWork {
  file: string;
  url: string;
  authToken?: string | undefined;
}

/** `frames` are pages of the database that were received. `ready` comes first, and unasked. */
export type SyncReply = 'ready' | { frames: number } | { failure: string };

/**
 * The only process that writes the replica file: two that sync it damage it. A process, because
 * `sync` blocks its thread for as long as the primary hangs, and a thread cannot be ended then.
 * libsql also prints to the standard output, which the parent discards.
 */
function answerParent(): void {
  const thread = new Worker(new URL(import.meta.url), { env: childEnvironment() });
  process.on('message', (work: SyncWork) => thread.postMessage(work));
  // The parent may be gone.
  thread.on('message', (reply: SyncReply) => process.send?.(reply, () => undefined));
  // Also while the thread is blocked: the next process of this file starts soon.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

let replica: Replica.Database | undefined;

function sync({ file, url, authToken }: SyncWork): SyncReply {
  try {
    replica ??= new Replica(file, {
      syncUrl: url,
      ...(authToken === undefined ? {} : { authToken }),
      // Else writing syncs, too.
      readYourWrites: false,
    } as Replica.Options);
    const { frames_synced: frames } = replica.sync() as { frames_synced: number };
    return { frames };
  } catch (error) {
    // A stack trace follows.
    const [line = ''] = (error as Error).message.split('\n');
    return { failure: line };
  }
}

if (isMainThread) {
  answerParent();
} else {
  parentPort?.on('message', (work: SyncWork) => parentPort?.postMessage(sync(work)));
  parentPort?.postMessage('ready');
}
