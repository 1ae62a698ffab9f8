import { limits } from '@app/contract/limits';
import { createMiddleware } from 'hono/factory';
import type { Clock } from '../clock.ts';
import type { AppContext, AppEnv } from './context.ts';
import { problem } from './problem.ts';

export interface BodyTimeouts {
  /** Without new bytes, in milliseconds. */
  idle: number;
  /** In milliseconds. */
  total: number;
  /** Files may take longer at this average rate. */
  uploadBytesPerSecond: number;
  uploadsPerClient: number;
}

export const defaultBodyTimeouts: BodyTimeouts = {
  idle: 10_000,
  total: 30_000,
  // Nine minutes for 5 MB.
  uploadBytesPerSecond: 10_000,
  uploadsPerClient: 4,
};

export interface BodyDeps {
  settings: { bodyTimeouts: BodyTimeouts };
  clock: Clock;
}

interface BodyRules {
  /** See `Feature`. */
  uploadEndpoints: readonly string[];
  maxBodyBytes: Readonly<Record<string, number>>;
}

/**
 * Reads the whole body before any handler runs, so that slow bodies block nothing else. Answers 413
 * if it is too large and 408 if it is too slow, and closes the connection (RFC 9110 §15.5.9). The
 * bytes are in `c.get('body')`.
 */
export const readBodyFirst = (deps: BodyDeps, { uploadEndpoints, maxBodyBytes }: BodyRules) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const { method, path } = c.req;
    if (uploadEndpoints.includes(`${method} ${path}`)) return next();
    const larger = Object.keys(maxBodyBytes).find((folder) => `${path}/`.startsWith(`${folder}/`));
    const maxBytes = maxBodyBytes[larger ?? ''] ?? limits.bodyBytes;
    const refusal = await readInto(c, deps, {
      maxBytes,
      tooLarge: `Send at most ${sizeInWords(maxBytes)}.`,
      bytesPerSecond: Number.POSITIVE_INFINITY,
    });
    return refusal ?? next();
  });

const sizeInWords = (bytes: number): string =>
  bytes < 1_048_576 ? `${bytes / 1_024} kB` : `${bytes / 1_048_576} MB`;

export interface UploadLimits {
  maxBytes: number;
  /** The response to a larger body. */
  tooLarge: string;
}

/** Reads a file. `clients` identify the sender: account and address. */
export function createUploadReader(deps: BodyDeps) {
  const { bodyTimeouts } = deps.settings;
  const activeUploads = new Map<string, number>();
  const count = (client: string, change: 1 | -1): void => {
    const uploads = (activeUploads.get(client) ?? 0) + change;
    if (uploads === 0) activeUploads.delete(client);
    else activeUploads.set(client, uploads);
  };

  return async (
    c: AppContext,
    clients: readonly string[],
    uploadLimits: UploadLimits,
  ): Promise<Response | null> => {
    if (
      clients.some((client) => (activeUploads.get(client) ?? 0) >= bodyTimeouts.uploadsPerClient)
    ) {
      const detail = 'Other uploads of yours are still underway. Try again when they are done.';
      return problem(c, 'too_many_requests', detail, { headers: { 'Retry-After': '10' } });
    }
    for (const client of clients) count(client, 1);
    try {
      const bytesPerSecond = bodyTimeouts.uploadBytesPerSecond;
      return await readInto(c, deps, { ...uploadLimits, bytesPerSecond });
    } finally {
      for (const client of clients) count(client, -1);
    }
  };
}

interface ReadLimits extends UploadLimits {
  bytesPerSecond: number;
}

async function readInto(
  c: AppContext,
  { settings: { bodyTimeouts }, clock }: BodyDeps,
  readLimits: ReadLimits,
): Promise<Response | null> {
  const length = c.req.header('Content-Length');
  const hasLength = length !== undefined && c.req.header('Transfer-Encoding') === undefined;
  const body =
    hasLength && Number(length) > readLimits.maxBytes
      ? 'too_large'
      : await readStream(c.req.raw.body, bodyTimeouts, readLimits, clock);
  switch (body) {
    case 'too_large':
      return problem(c, 'body_too_large', readLimits.tooLarge);
    case 'too_slow':
      return problem(c, 'request_timeout', 'The body arrived too slowly. Send it again.', {
        headers: { Connection: 'close' },
      });
    case 'aborted':
      return problem(c, 'malformed_body', 'The body ended before it was complete.');
  }
  c.set('body', body);
  return null;
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  { idle, total }: BodyTimeouts,
  { maxBytes, bytesPerSecond }: ReadLimits,
  clock: Clock,
): Promise<Buffer | 'too_large' | 'too_slow' | 'aborted'> {
  if (!stream) return Buffer.alloc(0);
  const startedAt = clock.monotonic();
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  for (let received = 0; ; ) {
    const deadline = startedAt + total + (received / bytesPerSecond) * 1_000;
    const next = await withTimeout(reader.read(), Math.min(idle, deadline - clock.monotonic()));
    // The server closes the connection after its response.
    if (next === 'too_slow' || next === 'aborted') return next;
    if (next.done) return Buffer.concat(chunks);
    received += next.value.byteLength;
    if (received > maxBytes) return 'too_large';
    chunks.push(next.value);
  }
}

async function withTimeout<T>(
  reading: Promise<T>,
  milliseconds: number,
): Promise<T | 'too_slow' | 'aborted'> {
  const late = Promise.withResolvers<'too_slow'>();
  const timer = setTimeout(() => late.resolve('too_slow'), Math.max(milliseconds, 0));
  try {
    return await Promise.race([reading, late.promise]);
  } catch {
    return 'aborted';
  } finally {
    clearTimeout(timer);
  }
}
