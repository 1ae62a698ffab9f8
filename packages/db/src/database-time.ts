import { sql } from 'drizzle-orm';

/** `databaseTime` as SQL text. */
export const timeExpression = "cast(unixepoch('subsec') * 1000 as integer)";

/** Milliseconds since 1970 on the machine with the database: the clocks of servers differ. */
export const databaseTime = sql<number>`${sql.raw(timeExpression)}`;
