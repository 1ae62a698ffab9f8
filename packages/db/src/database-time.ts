import { sql } from 'drizzle-orm';

/** As `databaseTime`, for a statement. */
export const timeExpression = "cast(unixepoch('subsec') * 1000 as integer)";

/** In milliseconds since 1970, of the machine with the database: those of servers differ. */
export const databaseTime = sql<number>`${sql.raw(timeExpression)}`;
