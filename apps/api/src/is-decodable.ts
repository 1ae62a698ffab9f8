/** Whether each percent sign begins an escape (RFC 3986 §2.1), of UTF-8. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
