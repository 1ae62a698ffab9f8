import { customType } from 'drizzle-orm/sqlite-core';

/**
 * A value as JSON in a text column. Drizzle's own `text({ mode: 'json' })` writes a null that comes
 * through a placeholder as the text 'null'; this one writes NULL.
 */
export const json = <T>(column: string) =>
  customType<{ data: T; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: (value) => (value === null ? null : JSON.stringify(value)),
    fromDriver: (text) => JSON.parse(text ?? 'null'),
  })(column);
