/** Bytes of the longest escaped character: `&quot;` for `"`. */
const maxEscaped = 6;

const extraBytes = new Uint8Array(256);
for (const byte of Buffer.from('"&\'<>')) extraBytes[byte] = maxEscaped - 1;

/** The maximum size of a UTF-8 text in a page, in bytes. */
export function htmlBytes(text: Uint8Array): number {
  let bytes = text.length;
  // biome-ignore lint/style/useForOf: an iterator over bytes takes ten times as long.
  for (let at = 0; at < text.length; at += 1) bytes += extraBytes[text[at] ?? 0] ?? 0;
  return bytes;
}

/**
 * The maximum size of all texts of a page's data, in bytes, if every character were escaped. Does
 * not read the texts.
 */
export function maxHtmlBytes(data: unknown): number {
  if (typeof data === 'string') return data.length * maxEscaped;
  if (typeof data !== 'object' || data === null) return 0;
  return Object.values(data).reduce((bytes: number, value) => bytes + maxHtmlBytes(value), 0);
}
