import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AstroIntegration } from 'astro';
import { minifySync, transformWithOxc } from 'vite';

const astroRuntime = /\/astro\/dist\/runtime\/server\/astro-island\.prebuilt\.js$/;
const astroScripts = /\/astro\/dist\/runtime\/server\/scripts\.js$/;
/** One rule, which would need a hash of its own on every page: it stands in elements.css. */
const astroStyle = /<style>\$\{ISLAND_STYLES\}<\/style>/;

const source = new URL('./island.ts', import.meta.url);
const { code } = await transformWithOxc(await readFile(source, 'utf8'), source.pathname);

/** island.ts as it is inlined into pages: a script, not the module that the compiler left. */
const runtime = minifySync('island.js', `(()=>{${code.replace('export {};', '')}})()`).code;

/** Its entry in the content security policy. */
export const islandRuntimeHash =
  `sha256-${createHash('sha256').update(runtime).digest('base64')}` as const;

/** Makes the pages of a build carry island.ts, and no styles for it; `astro dev` keeps Astro's own. */
export const islandRuntime = (): AstroIntegration => ({
  name: 'island-runtime',
  hooks: {
    'astro:config:setup': ({ command, updateConfig }) => {
      if (command === 'dev') return;
      const replaced = new Set<string>();
      updateConfig({
        vite: {
          plugins: [
            {
              name: 'island-runtime',
              enforce: 'pre',
              load(id) {
                if (!astroRuntime.test(id)) return;
                replaced.add('element');
                return `export default ${JSON.stringify(runtime)};`;
              },
              transform(code, id) {
                if (!astroScripts.test(id) || !astroStyle.test(code)) return;
                replaced.add('style');
                return { code: code.replace(astroStyle, ''), map: null };
              },
              buildEnd(error) {
                if (error || this.environment?.name === 'client' || replaced.size === 2) return;
                throw new Error(
                  'Astro keeps its island element elsewhere now: see island-runtime.ts',
                );
              },
            },
          ],
        },
      });
    },
  },
});
