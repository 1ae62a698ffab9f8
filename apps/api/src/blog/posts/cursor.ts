import { type Column, type SQL, sql } from 'drizzle-orm';

/** The last item of a page. */
export interface Cursor {
  createdAt: number;
  id: string;
}

export const encodeCursor = ({ createdAt, id }: Cursor): string =>
  Buffer.from(`${createdAt}.${id}`).toString('base64url');

/** Undefined for the first page, null if it is malformed. */
export function readCursor(text: string | undefined): Cursor | null | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d{1,15})\.(.{1,64})$/.exec(Buffer.from(text, 'base64url').toString());
  return match?.[1] && match[2] ? { createdAt: Number(match[1]), id: match[2] } : null;
}

/** Whether a row comes after the cursor in a list that is sorted newest first. */
export const isOlder = (
  createdAt: Column,
  id: Column,
  cursor: Cursor | undefined,
): SQL | undefined => cursor && sql`(${createdAt}, ${id}) < (${cursor.createdAt}, ${cursor.id})`;

/** @param rows one more than `size` if there are more */
export function toPage<Row>(
  rows: readonly Row[],
  size: number,
  toCursor: (last: Row) => string,
): { shown: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, size);
  const last = rows.length > size ? shown.at(-1) : undefined;
  return { shown, nextCursor: last === undefined ? null : toCursor(last) };
}
