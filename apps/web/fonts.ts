import bricolage from '@fontsource/bricolage-grotesque/unicode.json' with { type: 'json' };
import instrumentSans from '@fontsource-variable/instrument-sans/unicode.json' with {
  type: 'json',
};
import { type AstroUserConfig, fontProviders } from 'astro/config';

const display = '@fontsource/bricolage-grotesque/files/bricolage-grotesque';
const text = '@fontsource-variable/instrument-sans/files/instrument-sans';

/** The families of styles/theme.css, from npm packages; Astro adds fallbacks of the same metrics. */
export const fonts = [
  {
    provider: fontProviders.local(),
    name: 'Instrument Sans',
    cssVariable: '--font-instrument-sans',
    options: {
      variants: [
        variant(`${text}-latin-wght-normal.woff2`, '400 700', instrumentSans.latin),
        variant(`${text}-latin-ext-wght-normal.woff2`, '400 700', instrumentSans['latin-ext']),
      ],
    },
  },
  {
    provider: fontProviders.local(),
    name: 'Bricolage Grotesque',
    cssVariable: '--font-bricolage-grotesque',
    options: {
      variants: [
        variant(`${display}-latin-700-normal.woff2`, 700, bricolage.latin),
        variant(`${display}-latin-ext-700-normal.woff2`, 700, bricolage['latin-ext']),
      ],
    },
  },
] satisfies NonNullable<AstroUserConfig['fonts']>;

/** @param characters as in CSS: U+0000-00FF,U+0131 */
function variant(file: string, weight: string | number, characters: string) {
  return { src: [file], weight, style: 'normal', unicodeRange: characters.split(',') } as const;
}
