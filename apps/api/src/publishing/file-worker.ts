// A thread of worker-pool.ts. Synchronous: it has nothing else to do.
import { writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { stageFile, withParentFolder } from './atomic-files.ts';
import { siblingsOf } from './compression.ts';
import { isIntact } from './verify-files.ts';
import type { WorkerReply, WorkerRequest, WriteJob } from './worker-pool.ts';

function work(request: WorkerRequest): string[] {
  if (!('verify' in request)) return write(request);
  return request.verify.filter((file) => !isIntact(file)).map(({ file }) => file);
}

function write({ file, bytes, effort, as }: WriteJob): string[] {
  return Object.entries(siblingsOf(file, bytes, effort)).map(([ending, content]) => {
    const name = file + ending;
    if (as === 'staged') stageFile(name, content);
    else withParentFolder(name, () => writeFileSync(name, content));
    return name;
  });
}

parentPort?.on('message', (request: WorkerRequest) => {
  let reply: WorkerReply;
  try {
    reply = { id: request.id, files: work(request) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    reply = { id: request.id, error: { message, ...(code !== undefined && { code }) } };
  }
  parentPort?.postMessage(reply);
});
