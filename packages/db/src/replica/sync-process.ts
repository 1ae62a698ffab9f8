import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import Replica from 'libsql';
import { childEnvironment } from '../child-environment.ts';

export interface SyncWork {
  file: string;
  url: string;
  authToken?: string | undefined;
}

/** `frames` is the number of received pages. `ready` is sent once, after the start. */
export type SyncReply = 'ready' | { frames: number } | { failure: string };

/**
 * The only process that writes the replica file, because two would damage it. A process instead of
 * a thread, because `sync` blocks as long as the primary hangs, and a blocked thread cannot be
 * terminated. libsql also prints to standard output, which the parent discards.
 */
function answerParent(): void {
  const thread = new Worker(new URL(import.meta.url), { env: childEnvironment() });
  process.on('message', (work: SyncWork) => thread.postMessage(work));
  // Ignores errors, because the parent may be gone.
  thread.on('message', (reply: SyncReply) => process.send?.(reply, () => undefined));
  // Even while the thread is blocked: the next process for this file starts soon.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

let replica: Replica.Database | undefined;

function sync({ file, url, authToken }: SyncWork): SyncReply {
  try {
    replica ??= new Replica(file, {
      syncUrl: url,
      ...(authToken === undefined ? {} : { authToken }),
      // Otherwise, writing would sync, too.
      readYourWrites: false,
    } as Replica.Options);
    const { frames_synced: frames } = replica.sync() as { frames_synced: number };
    return { frames };
  } catch (error) {
    // The other lines are a stack trace.
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
