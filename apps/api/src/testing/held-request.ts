import type { TestBrowser } from './test-app.ts';

interface HeldRequest {
  isAwaited: Promise<void>;
  release(): Promise<Response>;
}

/** Sends a request whose body is held back, like that of a slow client or an attacker. */
export function holdRequest(
  browser: TestBrowser,
  method: string,
  path: string,
  { type = 'application/json', body }: { type?: string; body: string | Uint8Array },
): HeldRequest {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const awaited = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        awaited.resolve();
        await released.promise;
        if (bytes.length > 0) controller.enqueue(bytes);
        controller.close();
      },
    },
    // Pulls only when the body is read.
    { highWaterMark: 0 },
  );
  const response = browser.request(method, path, {
    headers: { 'Content-Type': type, 'Content-Length': String(bytes.length) },
    body: stream,
    duplex: 'half',
  } as RequestInit);
  return {
    isAwaited: awaited.promise,
    release() {
      released.resolve();
      return response;
    },
  };
}
