import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from '@app/tasks/workspace';
import { describe, expect, it } from 'vitest';
import { floating, type Manifest, registryAddresses, undeclared } from './dependencies.ts';
import { root, sourceFiles } from './sources.ts';

const manifests = new Map(
  ['', ...packageFolders()].map((folder): [string, Manifest] => [
    folder,
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  ]),
);

describe('dependencies', () => {
  it('are named by the package that imports them', () => {
    expect(undeclared(sourceFiles, manifests)).toEqual([]);
  });

  const two = new Map<string, Manifest>([
    ['', { devDependencies: { vitest: '^5.0.0', 'drizzle-kit': '^0.31.0' } }],
    ['apps/api', { dependencies: { hono: '^4.0.0', '@app/db': 'workspace:*' } }],
  ]);

  it.each([
    ['apps/api/src/a.ts', "import pino from 'pino';"],
    ['apps/api/src/a.ts', "import type { Logger } from 'pino';"],
    ['apps/api/src/a.ts', "import { defineConfig } from 'drizzle-kit';"],
    ['apps/api/src/a.ts', "import { limits } from '@app/contract/limits';"],
    ['apps/web/src/a.ts', "import { Hono } from 'hono';"],
  ])('are not in %s with %s', (path, source) => {
    expect(undeclared([{ path, source }], two)).toHaveLength(1);
  });

  it.each([
    [
      'apps/api/src/a.ts',
      "import { serve } from 'hono/server'; import 'node:fs'; import './b.ts';",
    ],
    ['apps/api/src/a.ts', "import { open } from '@app/db/open';"],
    ['apps/api/src/a.test.ts', "import { it } from 'vitest';"],
    ['drizzle.config.ts', "import { defineConfig } from 'drizzle-kit';"],
    ['apps/web/src/a.ts', "import { getImage } from 'astro:assets';"],
  ])('are in %s with %s', (path, source) => {
    expect(undeclared([{ path, source }], two)).toEqual([]);
  });

  it('have a major', () => {
    expect(floating(manifests)).toEqual([]);
  });

  it('have none as latest', () => {
    const manifest = { dependencies: { hono: '^4.0.0' }, devDependencies: { pino: 'latest' } };
    expect(floating(new Map([['apps/api', manifest]]))).toHaveLength(1);
  });
});

describe('the lockfile', () => {
  it('names no registry', () => {
    const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
    expect(lockfile).toContain('lockfileVersion');
    expect(registryAddresses(lockfile)).toEqual([]);
  });

  it('names one with a tarball', () => {
    const line =
      'resolution: {integrity: sha512-x, tarball: https://registry.test/a/-/a-1.0.0.tgz}';
    expect(registryAddresses(line)).toEqual(['https://registry.test/a/-/a-1.0.0.tgz']);
  });
});
