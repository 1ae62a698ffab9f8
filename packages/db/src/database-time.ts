import { sql } from 'drizzle-orm';

/** In milliseconds since 1970, of the machine with the database: those of servers differ. */
export const databaseTime = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
