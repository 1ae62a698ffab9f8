import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from '@app/tasks/workspace';
import { describe, expect, it } from 'vitest';
import { packageOf, root, sourceFiles } from './sources.ts';
import { brokenLinks, strangersAtTheTop, untyped } from './tree.ts';

describe('the top of the repository', () => {
  it('holds what everyone looks for, and no more', () => {
    expect(strangersAtTheTop(readdirSync(root))).toEqual([]);
  });

  it('has no place for anything else', () => {
    const entries = ['apps', '.ci', 'vitest.config.ts', 'scripts', 'data'];
    expect(strangersAtTheTop(entries)).toEqual(['vitest.config.ts', 'scripts']);
  });
});

describe('README.md', () => {
  const exists = (path: string) => existsSync(join(root, path));

  it('shows and links to what is there', () => {
    expect(brokenLinks(readFileSync(join(root, 'README.md'), 'utf8'), exists)).toEqual([]);
  });

  it('does not link to what is gone', () => {
    const text =
      'See [this](README.md), ![that](docs/gone.webp) and [a site](https://example.com).';
    expect(brokenLinks(text, exists)).toEqual(['docs/gone.webp']);
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

  it('has not without a configuration', () => {
    const files = [{ path: 'packages/new/src/a.ts', source: '' }];
    expect(untyped(files, packageOf, ['packages/db'])).toEqual(['packages/new']);
  });
});
