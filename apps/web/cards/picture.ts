import satori, { type Font } from 'satori';
import { mark } from '../src/brand/mark.ts';
import { drawStreet, streetColors } from '../src/components/street.ts';
import { drawable, element, titleStyle } from './title.ts';

/** The custom properties of styles/theme.css that cards use. */
export const cardColors = ['foreground', ...streetColors] as const;

export interface CardParts {
  name: string;
  /** Colors of the dark theme, in hex. */
  colors: Readonly<Record<(typeof cardColors)[number], string>>;
  /** The display font in the headings' weight. */
  fonts: readonly Buffer[];
}

const cardSize = { width: 1200, height: 630 } as const;

const margin = 72;
const titleTop = 134;
/** Stays clear of the moon and the utility poles. */
const titleFrame = { width: cardSize.width - 2 * margin, height: 190 };

export type Picture = (title: string) => Promise<string>;

/**
 * Draws a title above a street at night, as SVG without text or fonts. The company's own card, and
 * cards whose title the fonts cannot draw, show only the wordmark.
 */
export const createPicture = ({ name, colors, fonts: files }: CardParts): Picture => {
  // Satori would use only one of several fonts with the same name.
  const fonts = files.map((data, index): Font => ({ name: `display-${index}`, data }));
  const { width, height } = cardSize;
  const lantern = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="${mark.lines}" fill="none" stroke="${colors.foreground}" stroke-width="${mark.lineWidth}" stroke-linecap="round"/><path d="${mark.roof}" fill="${colors.foreground}"/><path d="${mark.light}" fill="${colors.accent}"/></svg>`;

  const wordmark = (fontSize: number, top: number) =>
    element('div', { ...at(top), display: 'flex', alignItems: 'center', gap: '0.14em', fontSize }, [
      element('img', { width: '1.45em', height: '1.45em', marginLeft: '-0.32em' }, undefined, {
        src: `data:image/svg+xml,${encodeURIComponent(lantern)}`,
      }),
      name,
    ]);

  return async (title) => {
    const text = await drawable(title, fonts);
    const words =
      text === '' || text === name
        ? [wordmark(96, 130)]
        : [
            wordmark(34, 44),
            element(
              'div',
              { ...at(titleTop), ...(await titleStyle(text, titleFrame, fonts)) },
              text,
            ),
          ];
    const svg = await satori(element('div', { display: 'flex', color: colors.foreground }, words), {
      width,
      height,
      fonts,
    });
    return drawStreet({ seed: title, width, height })
      .replace(
        'width="100%" height="100%"',
        `xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`,
      )
      .replace(/var\(--([\w-]+)\)/g, (_, color: keyof typeof colors) => colors[color])
      .replace('</svg>', `${svg}</svg>`);
  };
};

const at = (top: number) => ({ position: 'absolute', top, left: margin });
