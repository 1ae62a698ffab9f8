import { customType } from 'drizzle-orm/sqlite-core';

/**
 * JSON in a text column. Drizzle's `text({ mode: 'json' })` writes a null placeholder as the text
 * 'null'; this writes NULL.
 */
export const json = <T>(column: string) =>
  customType<{ data: T; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: (value) => (value === null ? null : JSON.stringify(value)),
    fromDriver: (text) => JSON.parse(text ?? 'null'),
  })(column);
