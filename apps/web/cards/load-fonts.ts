import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font of the headings (styles/base.css), split by character range. */
export const loadFonts = (): Promise<Buffer[]> =>
  Promise.all(
    ['latin', 'latin-ext'].map((part) => {
      const name = `bricolage-grotesque-${part}-700-normal.woff`;
      return readFile(require.resolve(`@fontsource/bricolage-grotesque/files/${name}`));
    }),
  );
