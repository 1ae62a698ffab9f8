import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fontverter from 'fontverter';

const require = createRequire(import.meta.url);
const parts = ['latin', 'latin-ext'] as const;

/** The font of the headings (styles/base.css), uncompressed, as harfbuzz reads it. */
export const loadFonts = (): Promise<Buffer[]> =>
  Promise.all(
    parts.map(async (part) => {
      const name = `bricolage-grotesque-${part}-700-normal.woff`;
      const file = require.resolve(`@fontsource/bricolage-grotesque/files/${name}`);
      return fontverter.convert(await readFile(file), 'sfnt');
    }),
  );
