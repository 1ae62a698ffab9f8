import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './sources.ts';

const check = (folder: string): Promise<string> =>
  new Promise((resolve) => {
    const program = join(root, 'node_modules/.bin/depcruise');
    const config = join(root, '.dependency-cruiser.mjs');
    const args = ['--config', config, 'apps', 'packages', 'tests'];
    execFile(program, args, { cwd: folder }, (_, stdout, stderr) => resolve(stdout + stderr));
  });

test('imports follow the rules', async () => {
  expect(await check(root)).toContain('no dependency violations found');
});

/** @returns violations as `rule: file` */
async function violations(files: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, source] of Object.entries({ 'tests/a.ts': '', ...files })) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), source);
  }
  const report = await check(folder);
  return [...report.matchAll(/error ([\w-]+: [\w./-]+)/g)].map(([, text = '']) => text).sort();
}

test('broken rules are reported', async () => {
  const found = await violations({
    'packages/db/src/open.ts': "export const open = 1; import '../../../apps/api/src/clock.ts';",
    'packages/contract/src/limits.ts': "import type { A } from 'node:fs';",
    'packages/site/src/company.ts': "import '../../contract/src/limits.ts';",
    'packages/tasks/run.mjs': "import '../contract/src/limits.ts';",
    'apps/web/src/page.ts': "export { open } from '../../../packages/db/src/open.ts';",
    'apps/web/src/lazy.ts': "export const a = () => import('../../api/src/clock.ts');",
    'apps/api/src/clock.ts': "import type { Page } from '../../web/src/page.ts';",
    'apps/api/src/blog/feature.ts': "import './routes.ts'; import '../forms/routes.ts';",
    'apps/api/src/blog/routes.ts': '',
    'apps/api/src/blog/posts.ts': "import type { A } from './feature.ts'; import './routes.ts';",
    'apps/api/src/blog/helpers/a.ts': "import '../../testing/app.ts'; import './nowhere.ts';",
    'apps/api/src/blog/slugs.ts': "import './helpers/a.ts'; import type { A } from './tags.ts';",
    'apps/api/src/blog/tags.ts': "import './slugs.ts'; import './titles.ts';",
    'apps/api/src/blog/titles.ts': "import './tags.ts';",
    'apps/api/src/forms/routes.ts': '',
    'apps/api/src/testing/app.ts': '',
    'apps/web/cards/draw.ts': "import { expect } from 'vitest';",
    'node_modules/vitest/package.json': '{ "name": "vitest", "main": "index.js" }',
    'node_modules/vitest/index.js': '',
    'package.json': '{ "devDependencies": { "vitest": "5" } }',
  });

  expect(found).toEqual(
    [
      'db-knows-no-app: packages/db/src/open.ts',
      'packages-by-name: packages/db/src/open.ts',
      'contract-stands-alone: packages/contract/src/limits.ts',
      'site-stands-alone: packages/site/src/company.ts',
      'packages-by-name: packages/site/src/company.ts',
      'tasks-stand-alone: packages/tasks/run.mjs',
      'packages-by-name: packages/tasks/run.mjs',
      'web-through-contract: apps/web/src/page.ts',
      'packages-by-name: apps/web/src/page.ts',
      'web-through-contract: apps/web/src/lazy.ts',
      'packages-by-name: apps/web/src/lazy.ts',
      'api-through-contract: apps/api/src/clock.ts',
      'packages-by-name: apps/api/src/clock.ts',
      'features-mount-their-own-routes: apps/api/src/blog/feature.ts',
      'features-are-listed: apps/api/src/blog/posts.ts',
      'features-declare-routes: apps/api/src/blog/posts.ts',
      'testing-is-for-tests: apps/api/src/blog/helpers/a.ts',
      'resolvable: apps/api/src/blog/helpers/a.ts',
      'names-say-something: apps/api/src/blog/slugs.ts',
      'no-cycles: apps/api/src/blog/tags.ts',
      'no-test-tools: apps/web/cards/draw.ts',
    ].sort(),
  );
});
