/**
 * Limits for a body before it is parsed. Every valid input is a flat object. Parsing a megabyte of
 * brackets, keys or `&` takes hundreds of milliseconds; this scan takes three.
 */
const maxValues = 100;
const maxDepth = 8;

const [quote, comma, backslash, ampersand = 0] = Buffer.from('",\\&');
const opening: ReadonlySet<number | undefined> = new Set(Buffer.from('[{'));
const closing: ReadonlySet<number | undefined> = new Set(Buffer.from(']}'));

/** Whether a JSON text (RFC 8259, UTF-8) is small enough to parse. Does not check the syntax. */
export function isSmallJson(bytes: Uint8Array): boolean {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) {
      isInString = true;
    } else if (byte === comma) {
      values += 1;
    } else if (opening.has(byte)) {
      depth += 1;
      values += 1;
    } else if (closing.has(byte)) {
      depth -= 1;
    }
    if (depth > maxDepth || values > maxValues) return false;
  }
  return true;
}

/** Whether a body of x-www-form-urlencoded (URL Standard, §5.1) is small enough to parse. */
export function isSmallForm(bytes: Uint8Array): boolean {
  let values = 1;
  for (let at = bytes.indexOf(ampersand); at !== -1; at = bytes.indexOf(ampersand, at + 1)) {
    values += 1;
    if (values > maxValues) return false;
  }
  return true;
}

/** In bytes. Browsers send about 150. */
const maxPartHeader = 2_000;
const maxParts = 10;

/** Whether a multipart/form-data body (RFC 7578) has few parts with short headers. */
export function isSmallMultipart(bytes: Buffer, boundary: string): boolean {
  const delimiter = `--${boundary}`;
  let parts = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1; parts += 1) {
    const next = bytes.indexOf(delimiter, at + delimiter.length);
    const isLast = next === -1;
    const header = bytes.subarray(at, at + maxPartHeader);
    if (parts >= maxParts || (!isLast && !header.includes('\r\n\r\n'))) return false;
    at = next;
  }
  return parts > 0;
}
