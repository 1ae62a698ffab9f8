/** In DATA_DIR, without DATABASE_URL. */
export const ownDatabaseFile = 'site.db';

/** In DATA_DIR, with DATABASE_URL: a copy of the shared database, for reading. */
export const replicaFile = 'replica.db';
