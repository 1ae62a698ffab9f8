import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AstroIntegration } from 'astro';
import { readFaces } from './faces.ts';
import { keptFiles } from './kept.ts';
import { makeFont, sourceOf, tools } from './subset.ts';

/**
 * Makes the font files that the stylesheets ask for, as `@type/{name}.woff2`.
 */
export const type = (): AstroIntegration => ({
  name: 'type',
  hooks: {
    'astro:config:setup': async ({ config, updateConfig }) => {
      const faces = await readFaces();
      const ingredients = [
        JSON.stringify(faces.map((face) => ({ ...face, characters: [...face.characters] }))),
        ...[...faces.map(sourceOf), ...tools].map((file) => pathToFileURL(file)),
        ...['faces.ts', 'sfnt.ts', 'subset.ts'].map((name) => new URL(name, import.meta.url)),
      ];
      const folder = await keptFiles(new URL('type/', config.cacheDir), ingredients, async () => {
        const made = new Map<string, Buffer>();
        for (const face of faces) made.set(`${face.name}.woff2`, await makeFont(face));
        return made;
      });
      const path = fileURLToPath(folder);
      updateConfig({ vite: { resolve: { alias: { '@type': path } } } });
    },
  },
});
