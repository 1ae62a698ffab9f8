/** Of a character that HTML escapes: `&quot;` in place of `"`. */
const maxEscaped = 6;

const extraBytes = new Uint8Array(256);
for (const byte of Buffer.from('"&\'<>')) extraBytes[byte] = maxEscaped - 1;

/** What a UTF-8 text takes in a page at most, in bytes. */
export function htmlBytes(text: Uint8Array): number {
  let bytes = text.length;
  // By index, which takes a tenth of the time that an iterator does.
  for (let at = 0; at < text.length; at += 1) bytes += extraBytes[text[at] ?? 0] ?? 0;
  return bytes;
}
