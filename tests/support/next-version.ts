import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nextMigrations } from '@app/db/testing/other-versions';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A workspace with the built program and one more migration.
 * @param folder receives it
 * @param statements SQL, separated as drizzle does it
 */
export function makeNextVersion(folder: string, statements: string): string {
  const api = join(folder, 'apps/api');
  mkdirSync(api, { recursive: true });
  cpSync(join(root, 'apps/api/dist'), join(api, 'dist'), { recursive: true });
  cpSync(join(root, 'apps/api/package.json'), join(api, 'package.json'));
  symlinkSync(join(root, 'apps/api/node_modules'), join(api, 'node_modules'));
  symlinkSync(join(root, 'apps/web'), join(folder, 'apps/web'));
  nextMigrations(join(folder, 'packages/db/migrations'), statements);
  return folder;
}
