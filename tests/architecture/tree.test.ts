import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFolders, packageOf, root, sourceFiles } from './sources.ts';
import { brokenLinks, unexpectedEntries, untyped } from './tree.ts';

const markdownBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

describe('the top of the repository', () => {
  it('contains only expected entries', () => {
    expect(unexpectedEntries(readdirSync(root))).toEqual([]);
  });

  it('reports unexpected entries', () => {
    const entries = ['apps', '.ci', 'vitest.config.ts', 'scripts', 'data'];
    expect(unexpectedEntries(entries)).toEqual(['vitest.config.ts', 'scripts']);
  });
});

const documents = ['README.md', ...markdownBelow('docs')];

describe.each(documents)('%s', (document) => {
  it('links only to existing files', () => {
    const folder = join(root, dirname(document));
    const exists = (path: string) => existsSync(join(folder, path));
    expect(brokenLinks(readFileSync(join(root, document), 'utf8'), exists)).toEqual([]);
  });
});

describe('links in Markdown', () => {
  it('reports missing files', () => {
    const text =
      'See [this](README.md), ![that](docs/gone.webp) and [a site](https://example.com).';
    expect(brokenLinks(text, (path) => existsSync(join(root, path)))).toEqual(['docs/gone.webp']);
  });
});

describe('README.md', () => {
  it('stays short: details belong in docs', () => {
    expect(readFileSync(join(root, 'README.md')).length).toBeLessThanOrEqual(10_000);
  });
});

describe('docs/configuration.md', () => {
  it('documents every setting', () => {
    const source = readFileSync(join(root, 'apps/api/src/env.ts'), 'utf8');
    const settings = [...source.matchAll(/^ {2}([A-Z_]+): v\./gm)].map(([, name = '']) => name);
    const text = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
    expect(settings.length).toBeGreaterThan(10);
    expect(settings.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('every package', () => {
  it('has its types checked', () => {
    const configured = packageFolders().filter((folder) =>
      existsSync(join(root, folder, 'tsconfig.json')),
    );
    expect(configured.length).toBeGreaterThan(0);
    expect(untyped(sourceFiles, packageOf, configured)).toEqual([]);
  });

  it('reports a package without tsconfig.json', () => {
    const files = [{ path: 'packages/new/src/a.ts', source: '' }];
    expect(untyped(files, packageOf, ['packages/db'])).toEqual(['packages/new']);
  });
});
