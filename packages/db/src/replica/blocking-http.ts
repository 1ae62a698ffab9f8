import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import { childEnvironment } from '../child-environment.ts';

export interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** In milliseconds. */
  timeout: number;
}

/** `failure` is the reason if there is no answer. */
export type HttpReply = { status: number; body: string } | { failure: string };

export interface HttpWork {
  /** Counts the replies. */
  signal: SharedArrayBuffer;
}

export interface PendingReply {
  promise: Promise<HttpReply>;
  /** Blocks the thread. */
  wait(): HttpReply;
}

interface Pending {
  reply?: HttpReply;
  resolve(reply: HttpReply): void;
}

/** In milliseconds, after the timeout of a request: by then, the thread itself must be stuck. */
const threadTimeout = 1_000;

/**
 * Sends POST requests from a thread, so that a synchronous function can wait for the reply. The
 * thread starts with the first request.
 */
export function createBlockingHttp() {
  const pending = new Map<number, Pending>();
  let thread: { worker: Worker; port: MessagePort; replies: Int32Array } | undefined;
  let lastId = 0;

  function start(): NonNullable<typeof thread> {
    const script = import.meta.url.endsWith('.ts') ? 'http-worker.ts' : 'http-worker.js';
    const { port1: port, port2 } = new MessageChannel();
    const signal = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const worker = new Worker(new URL(`./${script}`, import.meta.url), {
      workerData: { port: port2, signal } satisfies HttpWork & { port: MessagePort },
      transferList: [port2],
      env: childEnvironment(),
      execArgv: [],
    });
    const started = { worker, port, replies: new Int32Array(signal) };
    worker.unref();
    worker.on('error', (error) => end(started, error.message));
    worker.on('exit', () => end(started, 'the thread that sends requests has ended'));
    port.on('message', settle);
    port.unref();
    return started;
  }

  function settle({ id, ...reply }: HttpReply & { id: number }): void {
    const request = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) thread?.port.unref();
    if (!request) return;
    request.reply = reply as HttpReply;
    request.resolve(request.reply);
  }

  function end(ended: typeof thread, failure: string): void {
    if (thread !== ended) return;
    thread = undefined;
    for (const id of [...pending.keys()]) settle({ id, failure });
    ended?.port.close();
    void ended?.worker.terminate();
  }

  function receive({ port, replies }: NonNullable<typeof thread>, timeout: number): void {
    const seen = Atomics.load(replies, 0);
    const received = receiveMessageOnPort(port);
    if (received) settle(received.message);
    else Atomics.wait(replies, 0, seen, timeout);
  }

  return {
    send(request: HttpRequest): PendingReply {
      thread ??= start();
      const used = thread;
      lastId += 1;
      const id = lastId;
      const { promise, resolve } = Promise.withResolvers<HttpReply>();
      const sent: Pending = { resolve };
      pending.set(id, sent);
      used.port.ref();
      used.port.postMessage({ id, ...request });
      const deadline = performance.now() + request.timeout + threadTimeout;
      return {
        promise,
        wait() {
          while (sent.reply === undefined) {
            const left = deadline - performance.now();
            if (left > 0) receive(used, left);
            else end(used, 'the thread that sends requests does not answer');
          }
          return sent.reply;
        },
      };
    },

    async close(): Promise<void> {
      const ended = thread;
      end(ended, 'the connection was closed');
      await ended?.worker.terminate();
    },
  };
}

export type BlockingHttp = ReturnType<typeof createBlockingHttp>;
