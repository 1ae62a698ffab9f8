import { customType } from 'drizzle-orm/sqlite-core';

/** Unlike `text({ mode: 'json' })`, writes a null placeholder as NULL, not as the text 'null'. */
export const json = <T>(column: string) =>
  customType<{ data: T; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: (value) => (value === null ? null : JSON.stringify(value)),
    fromDriver: (text) => JSON.parse(text ?? 'null'),
  })(column);
