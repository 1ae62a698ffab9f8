import type { Row } from './row.ts';

/** A part of the benchmark, with a section of docs/performance.md. */
export interface Suite {
  name: string;
  /** The time after which it is stopped. */
  minutes: number;
  /** @param folder for its files, deleted afterwards */
  measure(folder: string): AsyncIterable<Row> | Promise<Iterable<Row>> | Iterable<Row>;
}
