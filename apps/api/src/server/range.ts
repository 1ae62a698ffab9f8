/**
 * A Range header against a body of the given length (RFC 9110 §14.1.2): the first
 * and last byte, both included; null for what is to be ignored (several ranges,
 * other units, nonsense); 'unsatisfiable' when it lies past the end.
 */
export function parseRange(
  header: string,
  length: number,
): { first: number; last: number } | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (!match) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;

  if (from === '') {
    const suffix = Number(to);
    if (suffix === 0 || length === 0) return 'unsatisfiable';
    return { first: Math.max(0, length - suffix), last: length - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return null;
  if (first >= length) return 'unsatisfiable';
  return { first, last: to === '' ? length - 1 : Math.min(Number(to), length - 1) };
}
