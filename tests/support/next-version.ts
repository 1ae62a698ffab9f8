import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nextMigrations } from '@app/db/testing/other-versions';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Makes a workspace with the built program and one more migration.
 * @param statements SQL, separated as in Drizzle's migrations
 */
export function makeNextVersion(folder: string, statements: string): string {
  copyServer(folder);
  symlinkSync(join(root, 'apps/web'), join(folder, 'apps/web'));
  nextMigrations(join(folder, 'packages/db/migrations'), statements);
  return folder;
}

/**
 * Makes a workspace with the built program, in which each script and stylesheet has another hash in
 * its name, as after a change that affects all of them.
 */
export function makeNextBuild(folder: string): string {
  copyServer(folder);
  mkdirSync(join(folder, 'packages'));
  symlinkSync(join(root, 'packages/db'), join(folder, 'packages/db'));
  const web = join(folder, 'apps/web');
  cpSync(join(root, 'apps/web/dist'), join(web, 'dist'), { recursive: true });
  symlinkSync(join(root, 'apps/web/node_modules'), join(web, 'node_modules'));
  changeHashes(join(web, 'dist'));
  return folder;
}

function copyServer(folder: string): void {
  const api = join(folder, 'apps/api');
  mkdirSync(api, { recursive: true });
  cpSync(join(root, 'apps/api/dist'), join(api, 'dist'), { recursive: true });
  cpSync(join(root, 'apps/api/package.json'), join(api, 'package.json'));
  symlinkSync(join(root, 'apps/api/node_modules'), join(api, 'node_modules'));
}

function changeHashes(dist: string): void {
  const names = new Map<string, string>();
  for (const path of globSync('client/_astro/*.{js,css}', { cwd: dist })) {
    const name = basename(path);
    const next = name.replace(/\.(.)([\w-]{7})(\.\w+)$/, (_, first, rest, ending) =>
      first === 'x' ? `.y${rest}${ending}` : `.x${rest}${ending}`,
    );
    names.set(name, next);
    renameSync(join(dist, path), join(dist, dirname(path), next));
  }
  const anyName = new RegExp([...names.keys()].map((name) => RegExp.escape(name)).join('|'), 'g');
  for (const path of globSync('{client,server}/**/*.{js,mjs,css,html}', { cwd: dist })) {
    const file = join(dist, path);
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replace(anyName, (name) => names.get(name) ?? name),
    );
  }
  const build = JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8')) as { id: string };
  writeFileSync(join(dist, 'build.json'), JSON.stringify({ ...build, id: `next${build.id}` }));
}
