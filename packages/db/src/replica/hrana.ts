/**
 * The parts that are used of Hrana 3 over HTTP with JSON, the protocol of libSQL servers:
 * github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md
 */

type Value =
  | { type: 'null' }
  /** As text, for integers of 64 bits. */
  | { type: 'integer'; value: string }
  | { type: 'float'; value: number }
  | { type: 'text'; value: string }
  | { type: 'blob'; base64: string };

export interface Statement {
  sql: string;
  args?: Value[];
  want_rows: boolean;
}

export type Condition =
  | { type: 'ok'; step: number }
  | { type: 'not'; cond: Condition }
  | { type: 'is_autocommit' };

export interface Step {
  condition?: Condition;
  stmt: Statement;
}

export type StreamRequest =
  | { type: 'batch'; batch: { steps: Step[] } }
  /** Several statements without parameters and results. */
  | { type: 'sequence'; sql: string }
  | { type: 'get_autocommit' }
  | { type: 'close' };

export interface StatementResult {
  cols: { name: string | null }[];
  rows: Value[][];
  affected_row_count: number;
  last_insert_rowid: string | null;
}

export interface ServerError {
  message: string;
  code?: string | null;
}

interface BatchResult {
  /** Null for a step that failed, or was skipped because of its condition. */
  step_results: (StatementResult | null)[];
  step_errors: (ServerError | null)[];
  /** Corresponds to the `frame` of replicas. */
  replication_index?: string | null;
}

export type StreamResponse =
  | { type: 'batch'; result: BatchResult }
  | { type: 'sequence' }
  | { type: 'get_autocommit'; is_autocommit: boolean }
  | { type: 'close' };

type StreamResult =
  | { type: 'ok'; response: StreamResponse }
  | { type: 'error'; error: ServerError };

export interface PipelineReply {
  /** Identifies the stream in the next request. */
  baton: string | null;
  /** Where the next request of the stream must be sent. */
  base_url: string | null;
  results: StreamResult[];
}

const maxInteger = 2n ** 63n;

/** Like better-sqlite3, sends all numbers as REAL. Columns convert them. */
export function encodeValue(value: unknown): Value {
  switch (typeof value) {
    case 'undefined':
      return { type: 'null' };
    case 'string':
      // Half of a surrogate pair is not valid Unicode.
      return { type: 'text', value: value.toWellFormed() };
    case 'number':
      if (Number.isNaN(value)) return { type: 'null' };
      if (!Number.isFinite(value)) throw new RangeError('Infinity cannot be sent to the database');
      return { type: 'float', value };
    case 'bigint':
      if (value >= maxInteger || value < -maxInteger) {
        throw new RangeError('The bound string, buffer, or bigint is too big');
      }
      return { type: 'integer', value: String(value) };
    default:
      if (value === null) return { type: 'null' };
      if (value instanceof Uint8Array) {
        return { type: 'blob', base64: Buffer.from(value).toString('base64') };
      }
      throw new TypeError('SQLite3 can only bind numbers, strings, bigints, buffers, and null');
  }
}

export function decodeValue(value: Value): number | string | Buffer | null {
  switch (value.type) {
    case 'null':
      return null;
    case 'integer':
      return Number(value.value);
    case 'float':
    case 'text':
      return value.value;
    case 'blob':
      return Buffer.from(value.base64, 'base64');
  }
}
