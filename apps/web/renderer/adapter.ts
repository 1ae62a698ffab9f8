import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { writeCardModule } from '../cards/build.ts';
import { loadCardMaker } from '../cards/card-maker.ts';
import { cspHashOf } from '../head/inline-script.ts';

interface RendererOptions {
  apiUrl: string;
}

/**
 * Builds `dist/client` (static files), `dist/server` (a module that renders the other pages),
 * `dist/cards` (a module that renders the cards of posts) and `dist/build.json` (the build's id and
 * the paths of these modules).
 */
export const renderer = ({ apiUrl }: RendererOptions): AstroIntegration => {
  let dist: URL;
  let client: URL;
  let server: URL;
  let serverEntry: string;

  return {
    name: 'renderer',
    hooks: {
      'astro:config:setup': ({ command, addMiddleware, updateConfig }) => {
        if (command !== 'dev') {
          // Bundles all packages, and React's production build whatever NODE_ENV is.
          updateConfig({
            vite: {
              define: { 'process.env.NODE_ENV': JSON.stringify('production') },
              // Has native binaries.
              ssr: { noExternal: true, external: ['sharp'] },
            },
          });
          return;
        }
        addMiddleware({ order: 'pre', entrypoint: new URL('./dev-pages.ts', import.meta.url) });
        updateConfig({
          vite: { define: { 'import.meta.env.API_URL': JSON.stringify(apiUrl) } },
        });
      },
      // Vite watches files outside its root individually, so it loses track of a file that is
      // replaced, as git and many editors do. Watching the folders avoids that.
      'astro:server:setup': ({ server: { watcher } }) => {
        for (const name of ['site', 'contract']) {
          watcher.add(fileURLToPath(new URL(`../../../packages/${name}`, import.meta.url)));
        }
      },
      'astro:config:done': ({ config, setAdapter }) => {
        dist = config.outDir;
        client = config.build.client;
        server = config.build.server;
        serverEntry = config.build.serverEntry;
        setAdapter({
          name: 'renderer',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL('./entry.ts', import.meta.url),
          supportedAstroFeatures: {
            staticOutput: 'stable',
            hybridOutput: 'stable',
            serverOutput: 'stable',
            sharpImageService: 'stable',
          },
        });
      },
      // Astro adds the hash of a page's own stylesheet when it renders the page. Without this hook,
      // the CSP of every page would also list the stylesheet parts of all other pages and unused
      // client directives: a kilobyte that does not compress.
      'astro:build:ssr': ({ manifest }) => {
        if (!manifest.csp) return;
        const { scriptDirective, styleDirective } = manifest.csp;
        const sheets = manifest.routes
          .flatMap(({ styles }) => styles)
          .flatMap((style) => (style.type === 'inline' ? [style.content] : []));
        // Astro hashes parts that consist of consecutive whole lines.
        const parts = sheets.flatMap((sheet) => {
          const lines = sheet.split(/(?<=\n)/);
          return lines.flatMap((_, from) =>
            lines.slice(from).map((_, index) => lines.slice(from, from + index + 1).join('')),
          );
        });
        const directives = manifest.clientDirectives
          .filter(([name]) => unusedDirectives.has(name))
          .map(([, script]) => script);
        const unneeded = new Set<unknown>([...parts, ...directives].map(cspHashOf));
        styleDirective.hashes = styleDirective.hashes.filter((hash) => !unneeded.has(hash));
        scriptDirective.hashes = scriptDirective.hashes.filter((hash) => !unneeded.has(hash));
      },
      'astro:build:done': async () => {
        const build = {
          id: await hashOf([client, server]),
          renderer: `server/${serverEntry}`,
          cardModule: await writeCardModule(dist, await loadCardMaker()),
        };
        await writeFile(new URL('build.json', dist), `${JSON.stringify(build)}\n`);
      },
    },
  };
};

/** Astro's own directives, which no island uses. */
const unusedDirectives: ReadonlySet<string> = new Set(['idle', 'load', 'media', 'only', 'visible']);

/** SHA-256 (hex) of the names and contents of all files in these folders. */
const hashOf = async (folders: URL[]): Promise<string> => {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`)
      .sort();
    for (const file of files) {
      hash.update(file.slice(folder.pathname.length)).update('\0');
      hash.update(await readFile(file)).update('\0');
    }
  }
  return hash.digest('hex');
};
