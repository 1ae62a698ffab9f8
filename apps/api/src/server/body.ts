import { limits } from '@app/contract/limits';
import { serverMessages } from '@app/contract/messages';
import { createMiddleware } from 'hono/factory';
import type { Clock } from '../clock.ts';
import { afterReading } from './after-reading.ts';
import type { AppContext, AppEnv } from './context.ts';
import type { Deps } from './deps.ts';
import { isSentForm } from './input.ts';
import { problem } from './problem.ts';
import { timed } from './request-time.ts';
import { unreceivedForm } from './unreceived-form.ts';

export interface BodyTimeouts {
  /** Milliseconds without new bytes. */
  idle: number;
  /** Milliseconds for the whole body. */
  total: number;
  /** Files get extra time for the bytes that have arrived, at this rate. */
  uploadBytesPerSecond: number;
  uploadsPerClient: number;
}

export const defaultBodyTimeouts: BodyTimeouts = {
  idle: 10_000,
  total: 30_000,
  // About nine minutes for 5 MB.
  uploadBytesPerSecond: 10_000,
  uploadsPerClient: 4,
};

/** The longest time from the headers of a request until its body has arrived. */
export const longestBodyMilliseconds =
  defaultBodyTimeouts.total +
  (limits.imageBytes / defaultBodyTimeouts.uploadBytesPerSecond) * 1_000;

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
 * Reads the whole body into `c.get('body')` before any handler runs, so that slow bodies block
 * nothing else. Answers 413 if it is too large or 408 if it is too slow, and closes the connection
 * (RFC 9110 §15.5.9). Forms without JavaScript get a page.
 */
export const readBodyFirst = (
  deps: BodyDeps & Pick<Deps, 'renderer' | 'settings'>,
  { uploadEndpoints, maxBodyBytes }: BodyRules,
) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const { method, path } = c.req;
    if (uploadEndpoints.includes(`${method} ${path}`)) return next();
    const larger = Object.keys(maxBodyBytes).find((folder) => `${path}/`.startsWith(`${folder}/`));
    const maxBytes = maxBodyBytes[larger ?? ''] ?? limits.bodyBytes;
    const isForm = isSentForm(c);
    const body = await readBody(c, deps, { maxBytes, bytesPerSecond: Number.POSITIVE_INFINITY });
    if (typeof body !== 'string') {
      c.set('body', body);
      return next();
    }
    const refusal = refuseBody(c, body, `Send at most ${sizeInWords(maxBytes)}.`);
    const reason = isForm && reasonsForForms[body];
    return reason ? unreceivedForm(c, deps, reason) : refusal;
  });

/** The failures that are shown as a page. Browsers do not send tiny chunks. */
const reasonsForForms: Partial<Record<Unreceived, 'too-large' | 'too-slow'>> = {
  too_large: 'too-large',
  too_slow: 'too-slow',
};

const sizeInWords = (bytes: number): string =>
  bytes < 1_048_576 ? `${bytes / 1_024} kB` : `${bytes / 1_048_576} MB`;

export interface UploadLimits {
  maxBytes: number;
  /** The text of the response to a larger body. */
  tooLarge: string;
}

/** Reads uploaded files. `clients` identify the sender by account and address. */
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
      const headers = { 'Retry-After': '10' };
      return problem(c, 'too_many_requests', serverMessages.otherUploads, { headers });
    }
    for (const client of clients) count(client, 1);
    try {
      const { maxBytes, tooLarge } = uploadLimits;
      const { uploadBytesPerSecond: bytesPerSecond } = bodyTimeouts;
      const body = await readBody(c, deps, { maxBytes, bytesPerSecond });
      if (typeof body === 'string') return refuseBody(c, body, tooLarge);
      c.set('body', body);
      return null;
    } finally {
      for (const client of clients) count(client, -1);
    }
  };
}

type Unreceived = 'too_large' | 'too_slow' | 'too_fragmented' | 'aborted';

interface ReadLimits {
  maxBytes: number;
  bytesPerSecond: number;
}

/**
 * An oversized body is read to its end if it has at most this many bytes. Closing the connection
 * earlier would reset it: a browser shows no response to a form that it has not sent completely,
 * and a proxy may answer 502. Larger bodies are cut off, so proxies need a lower limit: see
 * docs/deploy/Caddyfile and `site export`.
 */
export const maxReceivedBytes = 16_777_216;

/** Each chunk occupies 200 bytes of memory, even if it holds a single byte (RFC 9112 §7.1). */
const minChunkBytes = 64;
const maxTinyChunks = 1_000;

function refuseBody(c: AppContext, why: Unreceived, tooLarge: string): Response {
  // A proxy must not send its next request on a connection whose body was cut off.
  c.header('Connection', 'close');
  switch (why) {
    case 'too_large':
      return problem(c, 'body_too_large', tooLarge);
    case 'too_slow':
      return problem(c, 'request_timeout', serverMessages.tooSlow);
    case 'too_fragmented':
      return problem(c, 'malformed_body', 'The body has too many tiny chunks. Send larger ones.');
    case 'aborted':
      return problem(c, 'malformed_body', 'The body ended before it was complete.');
  }
}

const readBody = (
  c: AppContext,
  { settings: { bodyTimeouts }, clock }: BodyDeps,
  readLimits: ReadLimits,
): Promise<Buffer | Unreceived> =>
  timed('body', () => readStream(c.req.raw.body, bodyTimeouts, readLimits, clock));

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  { idle, total }: BodyTimeouts,
  { maxBytes, bytesPerSecond }: ReadLimits,
  clock: Clock,
): Promise<Buffer | Unreceived> {
  if (!stream) return Buffer.alloc(0);
  const startedAt = clock.monotonic();
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  for (let received = 0, count = 0; ; ) {
    const extra = (Math.min(received, maxBytes) / bytesPerSecond) * 1_000;
    const deadline = startedAt + total + extra;
    const next = await withTimeout(reader.read(), Math.min(idle, deadline - clock.monotonic()));
    // The server closes the connection after its response.
    if (next === 'too_slow' || next === 'aborted') return received > maxBytes ? 'too_large' : next;
    if (next.done) return received > maxBytes ? 'too_large' : Buffer.concat(chunks);
    received += next.value.byteLength;
    count += 1;
    if (count > maxTinyChunks + received / minChunkBytes) return 'too_fragmented';
    if (received <= maxBytes) chunks.push(next.value);
    else if (received > maxReceivedBytes) return 'too_large';
  }
}

async function withTimeout<T>(
  reading: Promise<T>,
  milliseconds: number,
): Promise<T | 'too_slow' | 'aborted'> {
  const late = Promise.withResolvers<'too_slow'>();
  const timer = setTimeout(
    afterReading(() => late.resolve('too_slow')),
    Math.max(milliseconds, 0),
  );
  try {
    return await Promise.race([reading, late.promise]);
  } catch {
    return 'aborted';
  } finally {
    clearTimeout(timer);
  }
}
