import { describe, expect, it } from 'vitest';
import { nodeInTheBrowser, wrongLayers } from './layers.ts';
import { sourceFiles } from './sources.ts';

describe('layers', () => {
  it('are kept everywhere', () => {
    expect(wrongLayers(sourceFiles)).toEqual([]);
  });

  it.each([
    ['packages/contract/src/a.ts', "import { Hono } from 'hono';"],
    ['packages/contract/src/a.ts', "import { open } from '@app/db/open';"],
    ['packages/contract/src/a.ts', "import { company } from '../../site/src/company.ts';"],
    ['packages/site/src/a.ts', "import * as v from 'valibot';"],
    ['packages/site/src/a.ts', "import type { Post } from '@app/contract/blog/posts';"],
    ['packages/db/src/a.ts', "import { createApp } from '@app/api/app';"],
    ['packages/db/src/a.ts', "import type { A } from '../../../apps/web/src/a.ts';"],
    ['packages/tasks/a.mjs', "import chalk from 'chalk';"],
    ['apps/web/src/a.ts', "import { createApp } from '@app/api/app';"],
    ['apps/web/src/a.ts', "export { open } from '@app/db/open';"],
    ['apps/web/src/a.tsx', "export const load = () => import('../../../packages/db/src/open.ts');"],
    ['apps/web/src/pages/a.astro', "---\nimport { open } from '@app/db/open';\n---\n<p>Hi</p>"],
    ['apps/web/src/pages/a.astro', "<script>\nimport { open } from '@app/db/open';\n</script>"],
    [
      'apps/web/src/layouts/a.astro',
      "<script is:inline set:html={text} />\n<script>\nimport { open } from '@app/db/open';\n</script>",
    ],
    ['apps/api/src/a.ts', "import { renderPage } from '../../web/renderer/entry.ts';"],
    ['apps/api/src/a.ts', "type Page = import('@app/web/page').Page;"],
    ['drizzle.config.ts', "import { open } from './packages/db/src/open.ts';"],
  ])('are broken by %s with %s', (path, source) => {
    expect(wrongLayers([{ path, source }])).toHaveLength(1);
  });

  it.each([
    ['packages/contract/src/a.ts', "import * as v from 'valibot'; import { b } from './b.ts';"],
    ['packages/contract/src/a.test.ts', "import { it } from 'vitest';"],
    ['apps/api/src/blog/a.ts', "import { open } from '@app/db/open'; import { b } from '../b.ts';"],
    [
      'apps/web/src/pages/a.astro',
      "---\nimport { slugOf } from '@app/contract/blog/posts';\n---\n<p />",
    ],
    ['tests/e2e/a.ts', "import { findChromium } from '@app/tasks/browser';"],
  ])('allow %s with %s', (path, source) => {
    expect(wrongLayers([{ path, source }])).toEqual([]);
  });

  it('say so when a file cannot be read', () => {
    const broken = { path: 'apps/api/src/a.ts', source: 'import {' };
    expect(() => wrongLayers([broken])).toThrow('apps/api/src/a.ts cannot be parsed');
  });
});

describe('what runs in a browser, too', () => {
  it('needs nothing of Node', () => {
    expect(nodeInTheBrowser(sourceFiles)).toEqual([]);
  });

  it('is broken by an import of it', () => {
    const file = { path: 'packages/contract/src/a.ts', source: "import 'node:crypto';" };
    expect(nodeInTheBrowser([file])).toHaveLength(1);
  });
});
