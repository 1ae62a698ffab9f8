/**
 * Parses a time in front matter or an export: ISO 8601, the formats of Jekyll
 * (`2020-01-31 10:00:00 +0200`) and WordPress, or only a date. UTC if there is no zone. Null if the
 * time is invalid or before 1970.
 */
export function timeOf(value: unknown): number | null {
  const time = value instanceof Date ? value.getTime() : parse(String(value ?? '').trim());
  return Number.isFinite(time) && time >= 0 && time < Date.UTC(9999, 0) ? time : null;
}

const shape =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?)? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

function parse(text: string): number {
  const parts = shape.exec(text);
  // Such as the dates of RSS (RFC 822).
  if (!parts) return /^[a-z]{3},? \d/i.test(text) ? Date.parse(text) : Number.NaN;
  const [, year, month = '', day = '', hour = '0', minute = '00', second = '00', fraction = '.0'] =
    parts;
  const zone = /^[+-]/.test(parts[8] ?? '')
    ? (parts[8] ?? '').replace(/(\d{2}):?(\d{2})$/, '$1:$2')
    : 'Z';
  const two = (digits: string): string => digits.padStart(2, '0');
  return Date.parse(
    `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}${fraction.slice(0, 4)}${zone}`,
  );
}
