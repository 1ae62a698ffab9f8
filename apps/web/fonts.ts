import bricolage from '@fontsource/bricolage-grotesque/unicode.json' with { type: 'json' };
import instrumentSans from '@fontsource-variable/instrument-sans/unicode.json' with {
  type: 'json',
};
import { fontProviders } from 'astro/config';
import { writeSubset } from './subset-font.ts';

const display = '@fontsource/bricolage-grotesque/files/bricolage-grotesque';
const text = '@fontsource-variable/instrument-sans/files/instrument-sans';

/** ASCII, é and typographic punctuation: the characters of the site's own texts. */
const english = 'U+20-7E,U+A0,U+A9,U+B7,U+E9,U+2013-2014,U+2018-2019,U+201C-201D,U+2026';

/** @param characters a CSS unicode-range: U+0000-00FF,U+0131; all by default */
const face = (file: string, weight: string, characters?: string) => ({
  src: [file] as [string],
  weight,
  style: 'normal' as const,
  ...(characters && { unicodeRange: characters.split(',') as [string, ...string[]] }),
});

type Face = ReturnType<typeof face>;

/**
 * Where ranges overlap, the last face wins. So the full files are loaded only for characters
 * outside the subset, such as accented letters in names.
 */
const faces = async (
  fileOf: (part: string) => string,
  weight: string,
  extended: string,
): Promise<[latin: Face, latinExtended: Face, english: Face]> => [
  face(fileOf('latin'), weight),
  face(fileOf('latin-ext'), weight, extended),
  face(await writeSubset(fileOf('latin'), english), weight, english),
];

/** Fonts of styles/theme.css, from npm packages. Astro adds fallbacks with the same metrics. */
export const fonts = [
  {
    provider: fontProviders.local(),
    name: 'Instrument Sans',
    cssVariable: '--font-instrument-sans' as const,
    options: {
      variants: await faces(
        (part) => `${text}-${part}-wght-normal.woff2`,
        '400 700',
        instrumentSans['latin-ext'],
      ),
    },
  },
  {
    provider: fontProviders.local(),
    name: 'Bricolage Grotesque',
    cssVariable: '--font-bricolage-grotesque' as const,
    options: {
      variants: await faces(
        (part) => `${display}-${part}-700-normal.woff2`,
        '700',
        bricolage['latin-ext'],
      ),
    },
  },
];
