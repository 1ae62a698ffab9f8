export interface Field {
  /** As it was written. */
  name: string;
  value: unknown;
}

/** Front matter by `keyOf` its names. Several fields can have the same key. */
export type Fields = ReadonlyMap<string, readonly Field[]>;

/** Hugo ignores the case of names; other systems write published_at, published-at or publishedAt. */
export const keyOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** In which Hugo and Zola have the fields that they do not define, and Zola its tags. */
const groups = new Set(['params', 'extra', 'taxonomies']);

export function fieldsOf(values: Readonly<Record<string, unknown>>): Map<string, Field[]> {
  const fields = new Map<string, Field[]>();
  for (const [name, value] of Object.entries(values)) {
    const key = keyOf(name);
    const inner =
      groups.has(key) && isObject(value) ? fieldsOf(value) : new Map([[key, [{ name, value }]]]);
    for (const [each, found] of inner) fields.set(each, [...(fields.get(each) ?? []), ...found]);
  }
  return fields;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** The trimmed text of a text or number; '' for anything else. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** The text of the first item of a list, or of an object's first property with one of the names. */
export function firstText(value: unknown, names: readonly string[] = []): string {
  if (Array.isArray(value)) return firstText(value[0], names);
  if (!isObject(value)) return textOf(value);
  return names.map((name) => textOf(value[name])).find((text) => text !== '') ?? '';
}

export const valuesOf = (fields: Fields, keys: readonly string[]): unknown[] =>
  keys.flatMap((key) => fields.get(key) ?? []).map(({ value }) => value);
