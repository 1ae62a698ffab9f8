import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SamplePost } from '@app/contract/blog/posts';
import type { Card, PageAccount, PageData, PageLocals, RenderedPage } from '@app/contract/pages';
import { StartupError } from '../startup-error.ts';
import type { PageFile, WrittenPage } from './page-files.ts';

/** The compiled site: its static files and the renderer of its other pages. */
export interface Renderer extends LoadedBuild {
  /** Renders pages of a release in another process. @throws when a file cannot be written */
  writePages(pages: readonly PageFile[]): Promise<WrittenPage[]>;
  /** Ends that process to free its memory. The next call of `writePages` starts another one. */
  endWriting(): Promise<void>;
}

export interface LoadedBuild {
  /** A hash of the build, plus the version of the Markdown pipeline. */
  buildId: string;
  staticFiles: string;
  /** @param account the visitor, for a page that nobody else gets */
  render(path: string, page: PageData, account?: PageAccount): Promise<RenderedFile>;
  /** Shown until the first post is published; replaced in development, see dev/routes.ts. */
  samplePosts: readonly SamplePost[];
  cardModule: string;
}

export interface RenderedFile {
  /** HTML or XML in UTF-8, including the CSP. */
  bytes: NonSharedBuffer;
  card: Card | null;
}

/** build.json. Paths are relative to its folder. */
interface BuildFile {
  id: string;
  renderer: string;
  cardModule: string;
}

interface ServerEntry {
  renderPage(path: string, locals: PageLocals): Promise<RenderedPage>;
  readSamplePosts(): Promise<SamplePost[]>;
}

export interface BuildOptions {
  /** The output of `astro build`: apps/web/dist. */
  folder: string;
  publicUrl: string;
  /** Version of the Markdown pipeline; a new one makes every page stale. */
  contentVersion: number;
}

/** @throws {StartupError} when there is no build. */
export async function loadBuild({
  folder,
  publicUrl,
  contentVersion,
}: BuildOptions): Promise<LoadedBuild> {
  const buildFile = join(folder, 'build.json');
  if (!existsSync(buildFile)) {
    throw new StartupError(`The site is not built (${buildFile} is missing): run \`pnpm build\`.`);
  }
  const build = JSON.parse(await readFile(buildFile, 'utf8')) as BuildFile;
  const entryFile = join(folder, build.renderer);
  const entry = (await importFile(entryFile)) as ServerEntry;
  await importAll(dirname(entryFile));
  return {
    buildId: `${build.id}-${contentVersion}`,
    staticFiles: join(folder, 'client'),
    async render(path, page, account) {
      const { bytes, card } = await entry.renderPage(path, {
        origin: publicUrl,
        page,
        account,
      });
      return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), card };
    },
    samplePosts: await entry.readSamplePosts(),
    cardModule: join(folder, build.cardModule),
  };
}

const importFile = (file: string): Promise<unknown> => import(pathToFileURL(file).href);

/** Imports all modules now: when the entry needs them, a new build may have replaced them. */
async function importAll(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const modules = names.filter((name) => name.endsWith('.mjs'));
  await Promise.all(modules.map((name) => importFile(join(folder, name))));
}
