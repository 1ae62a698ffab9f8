import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SamplePost } from '@app/contract/blog/posts';
import type { Card, PageData, PageLocals, RenderedPage } from '@app/contract/pages';
import { StartupError } from '../startup-error.ts';

/** The compiled site: its static files, and its pages that are rendered while the site runs. */
export interface Renderer {
  /** Changes with every byte of the build, and with what bodies are rendered to. */
  buildId: string;
  /** The folder of the files that are the same for every post. */
  staticFiles: string;
  render(path: string, page: PageData): Promise<DrawnPage>;
  /** The blog until the first post is published; replaced in development, see dev/routes.ts. */
  samplePosts: readonly SamplePost[];
  /** The module that draws the cards of pages; see card-process.ts. */
  drawing: string;
}

/** A page as readers are to be served it. */
export interface DrawnPage {
  /** HTML or XML in UTF-8, CSP included. */
  bytes: Buffer;
  /** The card that it refers to. */
  card: Card | null;
}

interface BuildFile {
  id: string;
  /** The server entry's path, from the build's folder. */
  renderer: string;
  /** The path of what draws cards, from the build's folder. */
  drawing: string;
}

interface ServerEntry {
  renderPage(path: string, locals: PageLocals): Promise<RenderedPage>;
  readSamplePosts(): Promise<SamplePost[]>;
}

/**
 * Loads what `astro build` made in `folder` (apps/web/dist).
 * @param contentVersion of what pages show: another one makes every page stale
 * @throws {StartupError} when there is no build.
 */
export async function loadRenderer(
  folder: string,
  publicUrl: string,
  contentVersion: number,
): Promise<Renderer> {
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
    async render(path, page) {
      const { text, card } = await entry.renderPage(path, { origin: publicUrl, page });
      return { bytes: Buffer.from(text), card };
    },
    samplePosts: await entry.readSamplePosts(),
    drawing: join(folder, build.drawing),
  };
}

const importFile = (file: string): Promise<unknown> => import(pathToFileURL(file).href);

/**
 * Loads the modules that the entry would load when it first needs them: by then a
 * new build may have taken their place, and this process still has the old one.
 */
async function importAll(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const modules = names.filter((name) => name.endsWith('.mjs'));
  await Promise.all(modules.map((name) => importFile(join(folder, name))));
}
