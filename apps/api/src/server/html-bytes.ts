/** Bytes of the longest escaped character: `&quot;` for `"`. */
const maxEscaped = 6;

/**
 * The maximum size of all texts of a page's data, in bytes, if every character were escaped. Does
 * not read the texts.
 */
export function maxHtmlBytes(data: unknown): number {
  if (typeof data === 'string') return data.length * maxEscaped;
  if (typeof data !== 'object' || data === null) return 0;
  return Object.values(data).reduce((bytes: number, value) => bytes + maxHtmlBytes(value), 0);
}
