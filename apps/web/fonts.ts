import bricolage from '@fontsource/bricolage-grotesque/unicode.json' with { type: 'json' };
import instrumentSans from '@fontsource-variable/instrument-sans/unicode.json' with {
  type: 'json',
};
import { fontProviders } from 'astro/config';

const display = '@fontsource/bricolage-grotesque/files/bricolage-grotesque';
const text = '@fontsource-variable/instrument-sans/files/instrument-sans';

/** @param characters as in CSS: U+0000-00FF,U+0131; all by default */
const face = (file: string, weight: string, characters?: string) => ({
  src: [file] as [string],
  weight,
  style: 'normal' as const,
  ...(characters && { unicodeRange: characters.split(',') as [string, ...string[]] }),
});
type Faces = [latin: ReturnType<typeof face>, latinExtended: ReturnType<typeof face>];

const textFaces: Faces = [
  face(`${text}-latin-wght-normal.woff2`, '400 700'),
  face(`${text}-latin-ext-wght-normal.woff2`, '400 700', instrumentSans['latin-ext']),
];
const displayFaces: Faces = [
  face(`${display}-latin-700-normal.woff2`, '700'),
  face(`${display}-latin-ext-700-normal.woff2`, '700', bricolage['latin-ext']),
];

/** The families of styles/theme.css, from npm packages; Astro adds fallbacks of the same metrics. */
export const fonts = [
  {
    provider: fontProviders.local(),
    name: 'Instrument Sans',
    cssVariable: '--font-instrument-sans' as const,
    options: { variants: textFaces },
  },
  {
    provider: fontProviders.local(),
    name: 'Bricolage Grotesque',
    cssVariable: '--font-bricolage-grotesque' as const,
    options: { variants: displayFaces },
  },
];
