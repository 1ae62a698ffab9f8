import { describe, expect, it } from 'vitest';
import { cyclesOf, forbiddenImports } from './astro-imports.ts';
import { sourceFiles } from './sources.ts';

const site = sourceFiles.filter(({ path }) => path.startsWith('apps/web/'));

const files = (sources: Record<string, string>) =>
  Object.entries(sources).map(([path, source]) => ({ path, source }));

describe('.astro files', () => {
  it('import only the contract and the site’s texts', () => {
    expect(site.filter(({ path }) => path.endsWith('.astro')).length).toBeGreaterThan(50);
    expect(forbiddenImports(site)).toEqual([]);
  });

  it('are not part of an import cycle', () => {
    expect(cyclesOf(site)).toEqual([]);
  });

  it('are reported when they import the database or a test tool', () => {
    const found = forbiddenImports(
      files({
        'a.astro': "---\nimport { open } from '@app/db/open';\nimport 'vitest';\n---\n",
        'b.astro': "---\nimport { pages } from '@app/contract/pages';\n---\n",
      }),
    );
    expect(found).toEqual(['a.astro → @app/db/open', 'a.astro → vitest']);
  });

  it('are reported when they import themselves indirectly', () => {
    const found = cyclesOf(
      files({
        'a/page.astro': "---\nimport Card from '../b/card.astro';\n---\n<Card />",
        'b/card.astro': "<script>import { open } from './open.ts';</script>",
        'b/open.ts': "import Page from '../a/page.astro'; import type { A } from './types.ts';",
        'b/types.ts': "import Card from './card.astro'; export type A = typeof Card;",
      }),
    );
    expect(found).toEqual(['a/page.astro → b/card.astro → b/open.ts → a/page.astro']);
  });
});
