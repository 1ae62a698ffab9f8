import { fileURLToPath } from 'node:url';

/** The relative path is the same from the sources and from the bundle. */
export const migrationsFolder = fileURLToPath(
  new URL('../../../packages/db/migrations', import.meta.url),
);
