import { describe, expect, it } from 'vitest';
import { folderCycles } from './folder-cycles.ts';
import { sourceFiles } from './sources.ts';

const cyclesOf = (sources: Record<string, string>) =>
  folderCycles(Object.entries(sources).map(([path, source]) => ({ path, source })));

describe('sibling folders', () => {
  it('depend on each other in one direction', () => {
    expect(folderCycles(sourceFiles)).toEqual([]);
  });

  it('are reported when their files form a cycle, type imports included', () => {
    const found = cyclesOf({
      'apps/api/src/blog/posts/posts.ts': "export * from '../../server/input.ts';",
      'apps/api/src/server/input.ts': "import type { A } from '../publishing/pages.ts';",
      'apps/api/src/publishing/pages.ts': "export type A = import('../blog/tags.ts').A;",
      'apps/api/src/blog/tags.ts': '',
    });
    expect(found).toEqual([
      'apps/api/src/blog/posts/posts.ts → apps/api/src/server/input.ts, ' +
        'apps/api/src/server/input.ts → apps/api/src/publishing/pages.ts, ' +
        'apps/api/src/publishing/pages.ts → apps/api/src/blog/tags.ts',
    ]);
  });

  it('are reported when .astro files or import() form a cycle', () => {
    const found = cyclesOf({
      'apps/web/src/accounts/Page.astro': "---\nimport Base from '../layouts/Base.astro';\n---\n",
      'apps/web/src/layouts/Base.astro': "<script>import('../accounts/menu.ts')</script>",
    });
    expect(found).toHaveLength(1);
  });

  it('are reported when they are inside another folder', () => {
    const found = cyclesOf({
      'apps/api/src/blog/posts/rows/row.ts': "import '../../tags/tag.ts';",
      'apps/api/src/blog/tags/names.ts': "import '../posts/slugs.ts';",
    });
    expect(found).toHaveLength(1);
  });

  it('are reported when a shared file imports one of them', () => {
    const found = cyclesOf({
      'packages/contract/src/problems.ts': "import './blog/conflict.ts';",
      'packages/contract/src/blog/posts.ts': "import '../limits.ts';",
    });
    expect(found).toHaveLength(1);
  });

  it('can be imported by the files next to them, by tests and by other packages', () => {
    const found = cyclesOf({
      'apps/api/src/app.ts': "import './blog/feature.ts';",
      'apps/api/src/blog/feature.ts': "import '../feature.ts'; import './posts/posts.ts';",
      'apps/api/src/blog/posts/posts.ts': "import '../feature.ts'; import '../../server/input.ts';",
      'apps/api/src/server/input.test.ts': "import '../blog/posts/posts.ts';",
      'apps/api/src/server/testing/app.ts': "import '../../blog/posts/posts.ts';",
      'apps/api/src/server/pages.ts': "import '../../../web/src/blog/pages.ts';",
      'apps/web/src/blog/pages.ts': "import '../../../api/src/blog/posts/posts.ts';",
    });
    expect(found).toEqual([]);
  });
});
