/** The last post of a page. */
export interface Cursor {
  createdAt: number;
  id: string;
}

export const encodeCursor = ({ createdAt, id }: Cursor): string =>
  Buffer.from(`${createdAt}.${id}`).toString('base64url');

/** Null if it is malformed. */
export function decodeCursor(text: string): Cursor | null {
  const match = /^(\d{1,15})\.(.{1,64})$/.exec(Buffer.from(text, 'base64url').toString());
  return match?.[1] && match[2] ? { createdAt: Number(match[1]), id: match[2] } : null;
}
