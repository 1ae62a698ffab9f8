import { once } from 'node:events';

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
}

type Listener = (message: Message) => void;

/** Removes what Node prints when a debugger attaches. */
export const withoutDebugger = (stderr: string): string =>
  stderr.replaceAll('Debugger attached.\n', '');

/** Starts Node with an inspector at `port`, without printing its URL. */
export const inspectorOptions = (port: number): string[] => [
  `--inspect=127.0.0.1:${port}`,
  '--inspect-publish-uid=http',
];

export class Inspector implements AsyncDisposable {
  readonly #socket: WebSocket;
  readonly #listeners = new Set<Listener>();
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      for (const listener of this.#listeners) listener(JSON.parse(data) as Message);
    });
  }

  static async attach(port: number): Promise<Inspector> {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`);
    const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
    if (!target) throw new Error(`Node has no inspector at port ${port}`);
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await once(socket, 'open');
    return new Inspector(socket);
  }

  /** In MB, after a garbage collection, including buffers. */
  liveHeap(): Promise<number> {
    return liveHeap((method) => this.#call(method));
  }

  /**
   * The same for a worker thread. Threads that wait with Atomics do not reply.
   * @param script the end of its URL
   */
  async liveHeapOfThread(script: string): Promise<number> {
    const sessionId = await this.#attachToThread(script);
    const heap = await liveHeap(async (method) => {
      this.#calls += 1;
      const id = this.#calls;
      const reply = this.#wait((message) => {
        if (message.method !== 'NodeWorker.receivedMessageFromWorker') return null;
        const received = message.params as { sessionId: string; message: string };
        const inner = JSON.parse(received.message) as Message;
        return received.sessionId === sessionId && inner.id === id ? inner : null;
      });
      const message = JSON.stringify({ id, method });
      await this.#call('NodeWorker.sendMessageToWorker', { sessionId, message });
      return resultOf(method, await reply);
    });
    await this.#call('NodeWorker.disable');
    return heap;
  }

  async #attachToThread(script: string): Promise<string> {
    const attached = this.#wait((message) => {
      if (message.method !== 'NodeWorker.attachedToWorker') return null;
      const { sessionId, workerInfo } = message.params as {
        sessionId: string;
        workerInfo: { url: string };
      };
      return workerInfo.url.endsWith(script) ? { sessionId } : null;
    });
    await this.#call('NodeWorker.enable', { waitForDebuggerOnStart: false });
    return (await attached).sessionId;
  }

  async #call(method: string, params: object = {}): Promise<unknown> {
    this.#calls += 1;
    const id = this.#calls;
    const reply = this.#wait((message) => (message.id === id ? message : null));
    this.#socket.send(JSON.stringify({ id, method, params }));
    return resultOf(method, await reply);
  }

  /** Resolves with the first result of `find` that is not null. */
  #wait<T>(find: (message: Message) => T | null): Promise<T> {
    return new Promise((resolve) => {
      const listen = (message: Message) => {
        const found = find(message);
        if (found === null) return;
        this.#listeners.delete(listen);
        resolve(found);
      };
      this.#listeners.add(listen);
    });
  }

  /** A process does not exit while it is inspected. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }
}

function resultOf(method: string, { error, result }: Message): unknown {
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

async function liveHeap(call: (method: string) => Promise<unknown>): Promise<number> {
  await call('HeapProfiler.collectGarbage');
  const usage = (await call('Runtime.getHeapUsage')) as Record<string, number>;
  const { usedSize = Number.NaN, backingStorageSize = Number.NaN } = usage;
  return (usedSize + backingStorageSize) / 1_048_576;
}
