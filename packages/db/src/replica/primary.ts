import { timeExpression } from '../database-time.ts';
import type { BlockingHttp, HttpReply } from './blocking-http.ts';
import type { PipelineReply, StreamRequest } from './hrana.ts';
import { PrimaryUnavailable, toHttpError } from './primary-errors.ts';
import type { ReplicaPosition } from './replica-files.ts';

export interface PrimaryOptions {
  /** `libsql://`, `https://` or `http://`. */
  url: string;
  authToken?: string | undefined;
}

/** Identifies the server-side connection of a stream. */
export interface StreamPosition {
  baton: string | null;
  baseUrl: URL;
}

interface Pending {
  settled(): Promise<PipelineReply>;
  /** Blocks the thread. */
  wait(): PipelineReply;
}

interface PrimaryEvents {
  /** Called once when it fails, and again only after it has worked. */
  onFailure(failure: Error): void;
  position?: (() => ReplicaPosition | null) | undefined;
  /** Called when it has less than the replica, whether the replica has the same log or another. */
  onShorter?: ((replica: ReplicaPosition) => void) | undefined;
}

/** In milliseconds, plus the time that `slowestTransfer` allows for the size of a request. */
export const statementTimeout = 2_000;
/** In characters per millisecond. */
const slowestTransfer = 1_000;
const retryInterval = 250;
/** In milliseconds. A server that was restarted meanwhile can have lost its settings. */
const checkInterval = 10_000;
/** In milliseconds: how far synchronized clocks differ at most, plus the error of measuring. */
const clockTolerance = 1_000;

/** libSQL servers are reached by HTTP. */
export const toHttpUrl = (url: string): URL => new URL(url.replace(/^libsql:/, 'https:'));

/**
 * The libSQL server that all writes go to. After a request without an answer, all others fail at
 * once until it answers again, because each would block the thread until its timeout.
 */
export function createPrimary(
  { url, authToken }: PrimaryOptions,
  http: BlockingHttp,
  { onFailure, position = () => null, onShorter }: PrimaryEvents,
) {
  const base = toHttpUrl(url);
  const headers = {
    'content-type': 'application/json',
    ...(authToken === undefined ? {} : { authorization: `Bearer ${authToken}` }),
  };
  let failure: Error | null = null;
  let check: NodeJS.Timeout | undefined;
  let isClosed = false;
  let clockOffset = 0;

  function post(at: StreamPosition, requests: StreamRequest[], timeout: number) {
    const body = JSON.stringify({ baton: at.baton, requests });
    return http.send({
      url: new URL('v3/pipeline', at.baseUrl).href,
      headers,
      body,
      timeout: timeout + Math.floor(body.length / slowestTransfer),
    });
  }

  /** @throws {PrimaryUnavailable} */
  function read(reply: HttpReply): PipelineReply {
    if ('failure' in reply) {
      throw fail(
        new PrimaryUnavailable(
          `The database server ${base.host} does not answer (${reply.failure}).`,
        ),
      );
    }
    if (reply.status !== 200) {
      const error = toHttpError(base.host, reply.status, reply.body);
      throw error instanceof PrimaryUnavailable ? fail(error) : error;
    }
    return JSON.parse(reply.body) as PipelineReply;
  }

  function fail<T extends Error>(error: T): T {
    if (failure === null) {
      failure = error;
      onFailure(error);
    } else {
      failure = error;
    }
    checkSoon();
    return error;
  }

  /** Does nothing while a check is running, because that schedules the next one. */
  function checkSoon(): void {
    if (check !== undefined) schedule(retryInterval);
  }

  function schedule(milliseconds: number): void {
    clearTimeout(check);
    check = setTimeout(async () => {
      check = undefined;
      await connect().catch(() => undefined);
    }, milliseconds).unref();
  }

  async function connect(): Promise<void> {
    try {
      await requireUsable();
      failure = null;
    } finally {
      if (!isClosed) schedule(failure === null ? checkInterval : retryInterval);
    }
  }

  /**
   * Reads the position of the server's log, its clock, and whether it flushes commits: a setting
   * that it loses when it restarts without namespaces.
   * @throws {PrimaryUnavailable} also if commits are not flushed
   */
  async function requireUsable(): Promise<void> {
    const steps = ['PRAGMA synchronous', `SELECT ${timeExpression}`].map((sql) => ({
      stmt: { sql, want_rows: true },
    }));
    const requests: StreamRequest[] = [{ type: 'batch', batch: { steps } }, { type: 'close' }];
    const start = { baton: null, baseUrl: base };
    const replica = position();
    const sentAt = performance.now();
    const { results } = read(await post(start, requests, statementTimeout).promise);
    const duration = performance.now() - sentAt;
    const [result] = results;
    if (result?.type !== 'ok' || result.response.type !== 'batch') {
      throw fail(new PrimaryUnavailable(`${base.host} is not a libSQL server.`));
    }
    const {
      step_results: [settings, time],
      replication_index: frame,
    } = result.response.result;
    if (replica !== null && frame != null && BigInt(frame) < replica.frame) {
      onShorter?.(replica);
    }
    const synchronous = settings?.rows[0]?.[0];
    // FULL or EXTRA (sqlite.org/pragma.html#pragma_synchronous).
    if (synchronous?.type !== 'integer' || Number(synchronous.value) < 2) {
      throw fail(new PrimaryUnavailable(notDurable(base.host)));
    }
    const clock = time?.rows[0]?.[0];
    if (clock?.type === 'integer') compareClocks(Number(clock.value), duration);
  }

  /** @param duration of the request; assumes that the server read its clock in the middle of it */
  function compareClocks(time: number, duration: number): void {
    const offset = Math.round(time - (Date.now() - duration / 2));
    clockOffset = Math.abs(offset) > clockTolerance + duration / 2 ? offset : 0;
  }

  return {
    /** Checks the server, now and regularly. @throws {PrimaryUnavailable} if writes are refused */
    connect,

    /** For when it may have been restarted with other settings or another copy of the database. */
    checkSoon,

    start: (): StreamPosition => ({ baton: null, baseUrl: base }),

    /** See `Replica`. */
    clockOffset: (): number => clockOffset,

    /** Why requests fail at once; null if they are sent. */
    failure: (): Error | null => failure,

    /** @throws {PrimaryUnavailable} as do both functions of the result */
    request(at: StreamPosition, requests: StreamRequest[], timeout: number): Pending {
      if (failure !== null) throw failure;
      const reply = post(at, requests, timeout);
      return { settled: () => reply.promise.then(read), wait: () => read(reply.wait()) };
    },

    close(): Promise<void> {
      isClosed = true;
      clearTimeout(check);
      check = undefined;
      return http.close();
    },
  };
}

export type Primary = ReturnType<typeof createPrimary>;

const notDurable = (host: string): string =>
  `The database server ${host} acknowledges commits before they are on its disk: a power cut would lose them. Start sqld with --enable-namespaces and --admin-listen-addr, then run:\n  curl -H 'content-type: application/json' -d '{"block_reads":false,"block_writes":false,"max_db_size":null,"durability_mode":"strong"}' http://ADMIN_ADDRESS/v1/namespaces/default/config`;
