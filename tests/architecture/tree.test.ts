import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from '@app/tasks/workspace';
import { describe, expect, it } from 'vitest';
import { packageOf, root, sourceFiles } from './sources.ts';
import { strangersAtTheTop, untyped } from './tree.ts';

describe('the top of the repository', () => {
  it('holds what everyone looks for, and no more', () => {
    expect(strangersAtTheTop(readdirSync(root))).toEqual([]);
  });

  it('has no place for anything else', () => {
    const entries = ['apps', '.ci', 'vitest.config.ts', 'scripts', 'data'];
    expect(strangersAtTheTop(entries)).toEqual(['vitest.config.ts', 'scripts']);
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
