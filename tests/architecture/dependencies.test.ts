import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { floating, type Manifest, registryUrls } from './dependencies.ts';
import { packageFolders, root } from './sources.ts';

const manifests = new Map(
  ['', ...packageFolders()].map((folder): [string, Manifest] => [
    folder,
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  ]),
);

describe('dependencies', () => {
  it('name a major version', () => {
    expect(floating(manifests)).toEqual([]);
  });

  it('reports a dependency on latest', () => {
    const manifest = { dependencies: { hono: '^4.0.0' }, devDependencies: { pino: 'latest' } };
    expect(floating(new Map([['apps/api', manifest]]))).toHaveLength(1);
  });
});

describe('the lockfile', () => {
  it('does not name a registry', () => {
    const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
    expect(lockfile).toContain('lockfileVersion');
    expect(registryUrls(lockfile)).toEqual([]);
  });

  it('reports a tarball URL', () => {
    const line =
      'resolution: {integrity: sha512-x, tarball: https://registry.test/a/-/a-1.0.0.tgz}';
    expect(registryUrls(line)).toEqual(['https://registry.test/a/-/a-1.0.0.tgz']);
  });
});
