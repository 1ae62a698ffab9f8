import { describe, expect, it } from 'vitest';
import { barrels, circles, vagueNames } from './shape.ts';
import { sourceFiles } from './sources.ts';

describe('files', () => {
  it('do not only re-export', () => {
    expect(barrels(sourceFiles)).toEqual([]);
  });

  it.each([
    "export * from './a.ts';",
    "export { a } from './a.ts';\nexport type { B } from './b.ts';",
  ])('are barrels with %s', (source) => {
    expect(barrels([{ path: 'apps/api/src/blog/index.ts', source }])).toHaveLength(1);
  });

  it.each(["export { a } from './a.ts';\nexport const b = 1;", '', 'export const a = 1;'])(
    'are none with %j',
    (source) => {
      expect(barrels([{ path: 'apps/api/src/blog/index.ts', source }])).toEqual([]);
    },
  );

  it('have names that say something', () => {
    expect(vagueNames(sourceFiles)).toEqual([]);
  });

  it.each(['apps/web/src/utils/date.ts', 'apps/api/src/blog/helpers.ts', 'tests/misc/a.ts'])(
    'have none in %s',
    (path) => {
      expect(vagueNames([{ path, source: '' }])).toHaveLength(1);
    },
  );
});

describe('imports', () => {
  it('go in no circle', () => {
    expect(circles(sourceFiles)).toEqual([]);
  });

  it('go in one when a file comes back to itself', () => {
    const files = [
      { path: 'apps/api/src/app.ts', source: "import './a/one.ts';" },
      { path: 'apps/api/src/a/one.ts', source: "import { two } from './two.ts';" },
      { path: 'apps/api/src/a/two.ts', source: "export { three } from '../b/three.ts';" },
      { path: 'apps/api/src/b/three.ts', source: "import { one } from '../a/one.ts';" },
    ];
    expect(circles(files)).toEqual([
      'apps/api/src/a/one.ts → apps/api/src/a/two.ts → apps/api/src/b/three.ts → apps/api/src/a/one.ts',
    ]);
  });

  it('may come back as types, and from two sides to one file', () => {
    const files = [
      { path: 'a.ts', source: "import './b.ts'; import './c.ts';" },
      { path: 'b.ts', source: "import './c.ts'; import type { A } from './a.ts';" },
      { path: 'c.ts', source: '' },
    ];
    expect(circles(files)).toEqual([]);
  });
});
