import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** As `restore` tells the owner to do. @returns the folder that has the site now */
export function moveSiteAside(dataDir: string): string {
  return move(dataDir, (name) => !name.startsWith('server.lock'));
}

export const moveDatabaseAside = (dataDir: string): string =>
  move(dataDir, (name) => name.startsWith('site.db'));

function move(dataDir: string, isMoved: (name: string) => boolean): string {
  const names = readdirSync(dataDir).filter(isMoved);
  const folder = join(dataDir, 'previous');
  mkdirSync(folder);
  for (const name of names) renameSync(join(dataDir, name), join(folder, name));
  return folder;
}
