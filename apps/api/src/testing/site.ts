import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, siteFolder } from '../publishing/release.ts';
import { fileOf } from '../server/site-files.ts';
import type { TestApp } from './test-app.ts';

/** The blog's published files by name, once the jobs behind each change are done. */
export async function publishedPages({ dataDir, deps }: TestApp): Promise<Record<string, string>> {
  await deps.publisher.backgroundDone();
  const folder = siteFolder(dataDir);
  const names = (await listFiles(folder)).filter(isOfBlog).sort();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    ),
  );
}

/** The blog's files as the database requires them. */
export async function wantedPages({ deps }: TestApp): Promise<Record<string, string>> {
  const wanted: Record<string, string> = {};
  for (const path of [...(await deps.publisher.pages.all()).keys()].sort()) {
    const page = await deps.publisher.pages.at(path);
    if (!page) throw new Error(`${path} is wanted, but shows nothing`);
    wanted[fileOf(path) ?? ''] = (await deps.renderer.render(path, page.data)).bytes.toString();
  }
  return wanted;
}

const isOfBlog = (name: string): boolean =>
  /^(?:blog\b|sitemap\.xml|llms\.txt)/.test(name) && !/\.(?:br|gz)$/.test(name);
