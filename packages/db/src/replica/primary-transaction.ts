import SqliteClient from 'better-sqlite3';
import type {
  Condition,
  PipelineReply,
  ServerError,
  Statement,
  StatementResult,
  Step,
  StreamRequest,
  StreamResponse,
} from './hrana.ts';
import { type Primary, type StreamPosition, statementTimeout } from './primary.ts';
import { PrimaryUnavailable, toSqliteError } from './primary-errors.ts';

/** In milliseconds. The server flushes to its disk. */
const commitTimeout = 5_000;
/** In milliseconds, for all requests of migrations, which can rebuild large tables. */
const migrationTimeout = 120_000;
/**
 * In milliseconds. After 5 s, the server takes the lock from a transaction that does not end, such
 * as that of a killed process.
 */
const lockTimeout = 6_000;

/** Limits of writes that are sent together. */
const maxQueued = { count: 100, characters: 256_000 };

const inTransaction: Condition = { type: 'not', cond: { type: 'is_autocommit' } };

interface TransactionOptions {
  begin: 'BEGIN' | 'BEGIN IMMEDIATE' | 'BEGIN EXCLUSIVE';
  enforcesForeignKeys: boolean;
}

interface Queued {
  stmt: Statement;
  /** Only for writes. */
  onResult?(result: StatementResult | null): void;
}

const control = (sql: string): Queued => ({ stmt: { sql, want_rows: false } });

/**
 * A transaction on the primary, on a stream of its own. After an error that ends it, nothing more
 * is executed, because the server would store that without the rest.
 *
 * Writes, and statements that only control the transaction, are sent with the next statement whose
 * result is needed. That statement throws the error of a write; at the latest, the end of the
 * transaction or of the nested one does.
 */
export function createTransaction(primary: Primary, options: TransactionOptions) {
  let at: StreamPosition = primary.start();
  let queued = [control(options.begin)];
  let queuedCharacters = 0;
  const isMigration = !options.enforcesForeignKeys;
  if (isMigration) queued.unshift(control('PRAGMA foreign_keys = OFF'));
  const timeout = isMigration ? migrationTimeout : statementTimeout;
  let isBegun = false;
  let ended: Error | null = null;

  /** Each step only runs if the one before has succeeded, and only in the transaction. */
  function stepsOf(statements: readonly Statement[]): Step[] {
    return [...queued.map(({ stmt }) => stmt), ...statements].map((stmt, index) => {
      if (index > 0) return { stmt, condition: { type: 'ok', step: index - 1 } };
      return isBegun ? { stmt, condition: inTransaction } : { stmt };
    });
  }

  function batchOf(statements: readonly Statement[], isLast = false): StreamRequest[] {
    if (ended !== null) throw ended;
    return [
      { type: 'batch', batch: { steps: stepsOf(statements) } },
      isLast ? { type: 'close' } : { type: 'get_autocommit' },
    ];
  }

  /** @returns the result of the last step */
  function read(reply: PipelineReply): StatementResult {
    isBegun = true;
    const sent = takeQueued();
    const response = readResponse(reply);
    if (response.type !== 'batch') throw end(lost());
    const { step_results: results, step_errors: errors } = response.result;
    for (const [index, { onResult }] of sent.entries()) onResult?.(results[index] ?? null);
    const error = errors.find((each) => each !== null);
    if (error) throw failed(reply, toSqliteError(error));
    const last = results.at(-1);
    // Skipped: the transaction had ended before.
    if (!last) throw end(lost());
    return last;
  }

  function takeQueued(): Queued[] {
    const taken = queued;
    queued = [];
    queuedCharacters = 0;
    return taken;
  }

  const hasWrites = (): boolean => queued.some(({ onResult }) => onResult !== undefined);

  function flush(): void {
    if (hasWrites()) read(send(batchOf([])));
  }

  /** For a rollback, which would undo them. */
  function dropWrites(): void {
    queued = queued.filter(({ onResult }) => onResult === undefined);
    queuedCharacters = 0;
  }

  function readResponse(reply: PipelineReply): StreamResponse {
    at = { baton: reply.baton, baseUrl: reply.base_url ? new URL(reply.base_url) : at.baseUrl };
    const [result] = reply.results;
    if (result?.type === 'ok') return result.response;
    throw failed(reply, result ? toSqliteError(result.error) : lost());
  }

  /** Some errors, such as a full disk, end the whole transaction. */
  function failed(reply: PipelineReply, error: Error): Error {
    const [, state] = reply.results;
    const isOpen =
      state?.type === 'ok' &&
      state.response.type === 'get_autocommit' &&
      !state.response.is_autocommit;
    return isOpen ? error : end(error);
  }

  function end(error: Error): Error {
    ended = error;
    return error;
  }

  function send(requests: StreamRequest[]): PipelineReply {
    try {
      return primary.request(at, requests, timeout).wait();
    } catch (error) {
      if (error instanceof PrimaryUnavailable) end(error);
      throw error;
    }
  }

  const execute = (statement: Statement): StatementResult => read(send(batchOf([statement])));

  return {
    /** False after an error that ended the transaction. */
    isOpen: (): boolean => ended === null,

    /** Waits for the lock. */
    begin() {
      const reply = primary.request(at, batchOf([]), lockTimeout);
      let hasBegun = false;
      const readOnce = (begun: PipelineReply): void => {
        if (!hasBegun) read(begun);
        hasBegun = true;
      };
      return {
        settled: async () => readOnce(await reply.settled()),
        /** Blocks the thread. */
        wait: () => readOnce(reply.wait()),
      };
    },

    execute,

    /** @returns a function that sends the write, unless it was sent, and returns its result */
    write(stmt: Statement): () => StatementResult {
      if (ended !== null) throw ended;
      if (!canWait(stmt.sql)) {
        // The savepoint was executed at once, so queued writes came after it.
        if (isRollback(stmt.sql)) dropWrites();
        const executed = execute(stmt);
        return () => executed;
      }
      const characters = charactersOf(stmt);
      const { count } = maxQueued;
      if (queued.length >= count || queuedCharacters + characters > maxQueued.characters) flush();
      let result: StatementResult | null = null;
      const onResult = (received: StatementResult | null): void => {
        result = received;
      };
      queued.push({ stmt, onResult });
      queuedCharacters += characters;
      return () => {
        if (result === null) flush();
        if (result === null) throw ended ?? notExecuted();
        return result;
      };
    },

    /** Sends queued writes. @throws their errors */
    flush,

    /** Statements without parameters and results, in one request. */
    script(sql: string): void {
      // Checks the transaction first, because a script is executed without conditions. The script's
      // first statement fails if the transaction has ended since then.
      read(send(batchOf([{ sql: 'SELECT 1', want_rows: false }])));
      readResponse(send([{ type: 'sequence', sql }, { type: 'get_autocommit' }]));
    },

    savepoint(name: string): void {
      // Errors of earlier writes do not belong to the nested transaction.
      flush();
      queued.push(control(`SAVEPOINT ${name}`));
    },

    release(name: string): void {
      if (queued.at(-1)?.stmt.sql === `SAVEPOINT ${name}`) queued.pop();
      else queued.push(control(`RELEASE ${name}`));
    },

    rollbackTo(name: string): void {
      dropWrites();
      if (queued.at(-1)?.stmt.sql === `SAVEPOINT ${name}`) queued.pop();
      else queued.push(control(`ROLLBACK TO ${name}`), control(`RELEASE ${name}`));
    },

    /** Null if there is nothing to commit. */
    commit() {
      if (ended !== null) throw ended;
      if (!isBegun && !hasWrites()) return null;
      const commit = { sql: 'COMMIT', want_rows: false };
      const reply = primary.request(
        at,
        batchOf([commit], true),
        isMigration ? migrationTimeout : commitTimeout,
      );
      ended = finished();
      return {
        settled: async () => void read(await reply.settled()),
        /** Blocks the thread. */
        wait: () => void read(reply.wait()),
      };
    },

    /** Does not throw if the primary is unavailable: the server rolls back lost transactions. */
    rollback(): void {
      if (ended !== null) return;
      try {
        const rollback = { stmt: { sql: 'ROLLBACK', want_rows: false }, condition: inTransaction };
        if (isBegun) send([{ type: 'batch', batch: { steps: [rollback] } }, { type: 'close' }]);
      } catch (error) {
        if (!(error instanceof PrimaryUnavailable)) throw error;
      }
      ended = finished();
    },
  };
}

/** Whether it can be queued. Other statements are those with which Drizzle controls savepoints. */
const canWait = (sql: string): boolean => /^(?:INSERT|UPDATE|DELETE|WITH)\b/i.test(sql);
const isRollback = (sql: string): boolean => /^ROLLBACK\b/i.test(sql);

const charactersOf = ({ sql, args = [] }: Statement): number =>
  args.reduce((sum, arg) => {
    if (arg.type === 'text') return sum + arg.value.length;
    return arg.type === 'blob' ? sum + arg.base64.length : sum;
  }, sql.length);

/** Executes a statement in one request, outside of a transaction. */
export function executeAlone(primary: Primary, stmt: Statement): StatementResult {
  const requests: StreamRequest[] = [
    { type: 'batch', batch: { steps: [{ stmt }] } },
    { type: 'close' },
  ];
  const { results } = primary.request(primary.start(), requests, statementTimeout).wait();
  const [reply] = results;
  if (reply?.type !== 'ok' || reply.response.type !== 'batch') {
    throw toSqliteError(reply?.type === 'error' ? reply.error : noReply);
  }
  const [result] = reply.response.result.step_results;
  if (!result) throw toSqliteError(reply.response.result.step_errors[0] ?? noReply);
  return result;
}

const noReply: ServerError = { message: 'the database server did not execute the statement' };

const notExecuted = (): Error => new Error('the statement was not executed');

const finished = (): Error => new Error('the transaction has ended');

export type PrimaryTransaction = ReturnType<typeof createTransaction>;

const lost = (): Error =>
  new SqliteClient.SqliteError(
    'the database server has ended the transaction, because another server was waiting for the lock',
    'SQLITE_BUSY',
  );
