import { fileURLToPath } from 'node:url';

/** From here and from the built program. */
export const migrationsFolder = fileURLToPath(
  new URL('../../../packages/db/migrations', import.meta.url),
);
