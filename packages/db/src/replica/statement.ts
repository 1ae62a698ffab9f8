import type SqliteClient from 'better-sqlite3';
import { decodeValue, encodeValue, type Statement, type StatementResult } from './hrana.ts';

type Prepared = SqliteClient.Statement<unknown[], unknown>;

export interface Connections {
  /** The replica, for reading; null if the next statement must run on the primary in any case. */
  replica(): SqliteClient.Database | null;
  /** Called before each read on the replica. */
  reading(): void;
  /** On the primary. */
  execute(statement: Statement): StatementResult;
  /** On the primary. In a transaction, it can wait until the end or until its result is needed. */
  write(statement: Statement): () => StatementResult;
}

/**
 * A statement with better-sqlite3's interface, as far as Drizzle and this program use it. Each
 * execution runs where the connection's state requires, so it can be prepared at any time.
 */
export class ReplicaStatement {
  readonly source: string;
  readonly #connections: Connections;
  #prepared: Prepared | null = null;
  #mode: 'object' | 'raw' | 'pluck' = 'object';

  /** @throws SQLite's error if the statement is invalid */
  constructor(connections: Connections, source: string) {
    this.source = source;
    this.#connections = connections;
    this.#prepare();
  }

  raw(isOn = true): this {
    this.#mode = isOn ? 'raw' : 'object';
    return this;
  }

  pluck(isOn = true): this {
    this.#mode = isOn ? 'pluck' : 'object';
    return this;
  }

  run(...parameters: unknown[]): SqliteClient.RunResult {
    const local = this.#local();
    if (local) return local.run(...parameters);
    const result = this.#connections.write(this.#bind(parameters, false));
    return {
      get changes() {
        return result().affected_row_count;
      },
      get lastInsertRowid() {
        return Number(result().last_insert_rowid ?? 0);
      },
    };
  }

  get(...parameters: unknown[]): unknown {
    const local = this.#local();
    if (local) return this.#inMode(local).get(...parameters);
    return this.#rows(parameters)[0];
  }

  all(...parameters: unknown[]): unknown[] {
    const local = this.#local();
    if (local) return this.#inMode(local).all(...parameters);
    return this.#rows(parameters);
  }

  iterate(...parameters: unknown[]): IterableIterator<unknown> {
    const local = this.#local();
    if (local) return this.#inMode(local).iterate(...parameters);
    return this.#rows(parameters).values();
  }

  /** Null on the primary, where tables may exist that the replica does not have yet. */
  #prepare(): Prepared | null {
    const replica = this.#connections.replica();
    if (replica !== null && this.#prepared?.database !== replica) {
      this.#prepared = replica.prepare(this.source);
    }
    return replica && this.#prepared;
  }

  /** The statement on the replica, if it runs there now. */
  #local(): Prepared | null {
    const prepared = this.#prepare();
    if (prepared === null || !(prepared.readonly || isSnapshot(this.source))) return null;
    this.#connections.reading();
    return prepared;
  }

  #inMode(prepared: Prepared): Prepared {
    if (!prepared.reader) return prepared;
    return this.#mode === 'pluck' ? prepared.pluck() : prepared.raw(this.#mode === 'raw');
  }

  #rows(parameters: unknown[]): unknown[] {
    const noData = 'This statement does not return data. Use run() instead';
    if (this.#prepared?.reader === false) throw new TypeError(noData);
    const { cols, rows } = this.#connections.execute(this.#bind(parameters, true));
    if (cols.length === 0) throw new TypeError(noData);
    const names = cols.map(({ name }) => name ?? '');
    return rows.map((values) => {
      const decoded = values.map(decodeValue);
      if (this.#mode === 'pluck') return decoded[0];
      if (this.#mode === 'raw') return decoded;
      return Object.fromEntries(names.map((name, index) => [name, decoded[index]]));
    });
  }

  #bind(parameters: unknown[], wantsRows: boolean): Statement {
    // A parameter can be a list of parameters.
    const args = parameters.flat().map(encodeValue);
    return { sql: this.source, args, want_rows: wantsRows };
  }
}

/** Reads the database and writes another file. */
const isSnapshot = (sql: string): boolean => /^\s*VACUUM\s+(?:main\s+)?INTO\b/i.test(sql);
