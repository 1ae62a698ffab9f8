import SqliteClient from 'better-sqlite3';
import type { Statement, StatementResult } from './hrana.ts';
import type { Primary } from './primary.ts';
import { createTransaction, executeAlone, type PrimaryTransaction } from './primary-transaction.ts';
import type { Reader } from './reader.ts';
import { type Connections, ReplicaStatement } from './statement.ts';

const behaviors = {
  deferred: 'BEGIN',
  immediate: 'BEGIN IMMEDIATE',
  exclusive: 'BEGIN EXCLUSIVE',
} as const;
type Behavior = keyof typeof behaviors;

/**
 * A connection with better-sqlite3's interface, as far as Drizzle and this program use it. Reads
 * run on the replica; writes, and everything in a transaction that may write, on the primary.
 */
export class ReplicaClient implements Connections {
  readonly memory = false;
  readonly readonly = false;
  open = true;
  /** How many transactions and statements this connection has committed. */
  commits = 0;
  readonly #primary: Primary;
  readonly #reader: Reader | null;
  #transaction: PrimaryTransaction | null = null;
  /** A deferred transaction on the replica, and whether it has read. */
  #snapshot: { isRead: boolean } | null = null;
  /** A transaction that waits for the lock, or has the lock but has not been used. */
  #waiting: {
    transaction: PrimaryTransaction;
    begun: ReturnType<PrimaryTransaction['begin']>;
  } | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #depth = 0;
  /** Whether the transaction is that of `withLock`. */
  #hasLock = false;
  #enforcesForeignKeys = true;

  /** @param reader null without a replica: all statements run on the primary */
  constructor(primary: Primary, reader: Reader | null) {
    this.#primary = primary;
    this.#reader = reader;
  }

  get inTransaction(): boolean {
    return this.#transaction?.isOpen() ?? this.#snapshot !== null;
  }

  prepare(source: string): ReplicaStatement {
    return new ReplicaStatement(this, source);
  }

  /** In a transaction, so that a failure changes nothing. */
  exec(source: string): this {
    this.#run('immediate', () => this.#onPrimary().script(source));
    return this;
  }

  pragma(source: string, { simple = false }: { simple?: boolean } = {}): unknown {
    const [, value] = /^\s*foreign_keys\s*=\s*(\w+)\s*$/i.exec(source) ?? [];
    if (value !== undefined) {
      this.#enforcesForeignKeys = /^(?:on|1)$/i.test(value);
      return [];
    }
    if (source.includes('=')) throw new TypeError(`a replica does not support PRAGMA ${source}`);
    this.#requireOpen();
    if (source === 'data_version' && this.#reader) return this.#dataVersion(simple);
    const statement = this.prepare(`PRAGMA ${source}`);
    return simple ? statement.pluck().get() : statement.all();
  }

  transaction<A extends unknown[], T>(work: (...args: A) => T) {
    const inMode =
      (behavior: Behavior) =>
      (...args: A): T =>
        this.#run(behavior, () => {
          const result = work(...args);
          if (result instanceof Promise) {
            throw new TypeError('Transaction function cannot return a promise');
          }
          return result;
        });
    const { deferred, immediate, exclusive } = {
      deferred: inMode('deferred'),
      immediate: inMode('immediate'),
      exclusive: inMode('exclusive'),
    };
    return Object.assign(inMode('deferred'), { default: deferred, deferred, immediate, exclusive });
  }

  /**
   * Runs synchronous work in a transaction whose begin and commit do not block the thread, because
   * other servers can hold the lock, and the primary flushes to its disk. Calls run one after the
   * other; writes outside of this method do not wait for them.
   */
  withLock<T>(work: () => T): Promise<T> {
    const turn = this.#queue.then(async () => {
      const transaction = await this.#lock();
      this.#hasLock = true;
      const result = this.#inside(transaction, work);
      await transaction.commit()?.settled();
      this.commits += 1;
      return result;
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  close(): this {
    this.open = false;
    this.#reader?.close();
    return this;
  }

  replica(): SqliteClient.Database | null {
    this.#requireOpen();
    return this.#transaction === null && this.#reader ? this.#reader.client() : null;
  }

  reading(): void {
    if (this.#snapshot === null || this.#snapshot.isRead) return;
    this.#reader?.client().exec('BEGIN');
    this.#snapshot.isRead = true;
  }

  execute(statement: Statement): StatementResult {
    if (this.#transaction !== null || this.#snapshot !== null) {
      return this.#onPrimary().execute(statement);
    }
    // Alone, it would wait for a lock that this thread has or is about to get.
    if (this.#waiting) return this.#run('immediate', () => this.#onPrimary().execute(statement));
    const result = executeAlone(this.#primary, statement);
    this.commits += 1;
    return result;
  }

  write(statement: Statement): () => StatementResult {
    if (this.#transaction !== null || this.#snapshot !== null) {
      return this.#onPrimary().write(statement);
    }
    const result = this.execute(statement);
    return () => result;
  }

  async #lock(): Promise<PrimaryTransaction> {
    for (;;) {
      this.#requireOpen();
      const transaction = this.#begin('immediate');
      const begun = transaction.begin();
      this.#waiting = { transaction, begun };
      try {
        await begun.settled();
      } catch (error) {
        if (this.#waiting?.transaction === transaction) this.#waiting = null;
        throw error;
      }
      // Otherwise, synchronous work has taken it.
      if (this.#waiting?.transaction === transaction) {
        this.#waiting = null;
        return transaction;
      }
    }
  }

  #begin(behavior: Behavior): PrimaryTransaction {
    return createTransaction(this.#primary, {
      begin: behaviors[behavior],
      enforcesForeignKeys: this.#enforcesForeignKeys,
    });
  }

  /** Takes the transaction that waits for the lock: a second one would have to wait for it. */
  #take(): PrimaryTransaction | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.begun.wait();
    return waiting?.transaction ?? null;
  }

  /** The transaction on the primary. A deferred one begins there when it writes. */
  #onPrimary(): PrimaryTransaction {
    if (this.#transaction !== null) return this.#transaction;
    if (this.#snapshot?.isRead) {
      throw new SqliteClient.SqliteError(
        "this transaction has read from the replica and cannot write: begin it with behavior 'immediate'",
        'SQLITE_BUSY_SNAPSHOT',
      );
    }
    this.#transaction = this.#take() ?? this.#begin('immediate');
    return this.#transaction;
  }

  #requireOpen(): void {
    if (!this.open) throw new TypeError('The database connection is not open');
  }

  #run<T>(behavior: Behavior, work: () => T): T {
    this.#requireOpen();
    if (this.#transaction !== null || this.#snapshot !== null) return this.#nested(work);
    if (behavior === 'deferred' && this.#reader) return this.#deferred(work);
    const transaction = this.#take() ?? this.#begin(behavior);
    const result = this.#inside(transaction, work);
    this.#commit(transaction);
    return result;
  }

  #commit(transaction: PrimaryTransaction): void {
    transaction.commit()?.wait();
    this.commits += 1;
  }

  #inside<T>(transaction: PrimaryTransaction, work: () => T): T {
    this.#transaction = transaction;
    try {
      return work();
    } catch (error) {
      transaction.rollback();
      throw error;
    } finally {
      this.#transaction = null;
      this.#hasLock = false;
    }
  }

  #nested<T>(work: () => T): T {
    const outer = this.#transaction;
    if (outer === null) return this.#nestedInSnapshot(work);
    const name = `nested_${this.#depth}`;
    const isLast = this.#hasLock && this.#depth === 0;
    outer.savepoint(name);
    this.#depth += 1;
    try {
      const result = work();
      outer.release(name);
      // Otherwise, the commit of `withLock` follows and sends the writes.
      if (!isLast) outer.flush();
      return result;
    } catch (error) {
      if (outer.isOpen()) outer.rollbackTo(name);
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  /** The work can be the first to write. */
  #nestedInSnapshot<T>(work: () => T): T {
    try {
      const result = work();
      this.#transaction?.flush();
      return result;
    } catch (error) {
      this.#transaction?.rollback();
      this.#transaction = null;
      throw error;
    }
  }

  #deferred<T>(work: () => T): T {
    const snapshot = { isRead: false };
    this.#snapshot = snapshot;
    try {
      const result = work();
      if (this.#transaction) this.#commit(this.#transaction);
      return result;
    } catch (error) {
      this.#transaction?.rollback();
      throw error;
    } finally {
      if (snapshot.isRead) this.#reader?.client().exec('COMMIT');
      this.#snapshot = null;
      this.#transaction = null;
    }
  }

  #dataVersion(isSimple: boolean): unknown {
    const version = this.#reader?.dataVersion();
    return isSimple ? version : [{ data_version: version }];
  }
}
