import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildOrigin } from '@app/contract/pages';
import { expect, test } from 'vitest';
import { makeDataDir } from '../testing/blog.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { makeRenderer } from '../testing/test-renderer.ts';
import { compressStaticFiles } from './built-siblings.ts';
import { loadBuild } from './renderer.ts';

const script = 'console.log("hello");'.repeat(20);

function makeStaticFiles(): { staticFiles: string; compressedFiles: string } {
  const folder = makeDataDir();
  const [staticFiles, compressedFiles] = [join(folder, 'client'), join(folder, 'compressed')];
  mkdirSync(join(staticFiles, '_astro'), { recursive: true });
  for (const [name, text] of Object.entries({
    '_astro/a.js': script,
    'robots.txt': `Sitemap: ${buildOrigin}/sitemap.xml`,
    '404.html': '<p>Not found</p>',
    'icon.png': 'pixels',
  })) {
    writeFileSync(join(staticFiles, name), text);
  }
  return { staticFiles, compressedFiles };
}

test('compresses compressible files of the build without the public URL', () => {
  const { staticFiles, compressedFiles } = makeStaticFiles();
  compressStaticFiles(staticFiles, compressedFiles);
  rmSync(join(staticFiles, '404.html'));
  compressStaticFiles(staticFiles, compressedFiles);

  expect(readdirSync(compressedFiles, { recursive: true }).toSorted()).toEqual([
    '_astro',
    '_astro/a.js.br',
    '_astro/a.js.gz',
  ]);
  const read = (ending: string) => readFileSync(join(compressedFiles, `_astro/a.js${ending}`));
  expect(brotliDecompressSync(read('.br')).toString()).toBe(script);
  expect(gunzipSync(read('.gz')).toString()).toBe(script);
});

test('publishes the compressed siblings of the build as they are', async () => {
  const dataDir = makeDataDir();
  const renderer = makeRenderer(dataDir);
  for (const ending of ['.br', '.gz']) {
    writeFileSync(join(renderer.compressedFiles, `_astro/build-1.js${ending}`), `built ${ending}`);
  }
  await using _ = await makeTestApp({ publishes: true, dataDir, renderer });

  for (const ending of ['.br', '.gz']) {
    const sibling = readFileSync(join(dataDir, `site/_astro/build-1.js${ending}`), 'utf8');
    expect(sibling).toBe(`built ${ending}`);
  }
});

test('rejects a build without compressed siblings', async () => {
  const folder = makeDataDir();
  cpSync(makeStaticFiles().staticFiles, join(folder, 'client'), { recursive: true });
  writeFileSync(join(folder, 'build.json'), '{}');
  const build = loadBuild({ folder, publicUrl: 'http://localhost', contentVersion: 1 });
  await expect(build).rejects.toThrow(
    `The site is not built (${join(folder, 'compressed')} is missing): run \`pnpm build\`.`,
  );
});
