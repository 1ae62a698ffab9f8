import { mark } from '../src/brand/mark.ts';
import { colorsOf } from '../src/brand/read-colors.ts';
import { drawStreet } from '../src/components/street.ts';
import { createLettering } from './lettering.ts';
import { lineHeight, typeset } from './typeset.ts';

/** What a card is made of, beside its title. */
export interface CardParts {
  /** The company's name. */
  name: string;
  /** styles/theme.css and components/street.css. */
  theme: string;
  street: string;
  /** The display face in the headings' weight. */
  fonts: readonly Uint8Array[];
}

/** As social sites ask for it, in pixels. */
export const cardSize = { width: 1200, height: 630 } as const;

const margin = 72;
const titleTop = 134;
/** Ends where the moon, or the top of a pole, may begin. */
const titleFrame = { width: cardSize.width - 2 * margin, height: 190 };

export type Picture = (title: string) => string;

/**
 * Draws titles on the street at night, as SVG without any text or font in it. The company's own
 * card, and one whose title has no letter that the typeface knows, show the wordmark alone.
 */
export const createPicture = ({ name, theme, street, fonts }: CardParts): Picture => {
  const lettering = createLettering(fonts);
  const colors = colorsOf(theme);
  const night = (color: string): string => colors[color]?.night ?? 'none';
  const styles = nightStyles(street, night);

  const write = (text: string, size: number, x: number, baseline: number): string =>
    `<g transform="translate(${x} ${baseline}) scale(${size} -${size})">${lettering.outlines(text)}</g>`;

  /** @param size of its type; the lantern goes with it */
  const wordmark = (size: number, baseline: number): string => {
    const scale = size / 22;
    const lantern = `<g transform="translate(${margin - 7 * scale} ${baseline - 25 * scale}) scale(${scale})"><path d="${mark.lines}" fill="none" stroke="${night('foreground')}" stroke-width="${mark.lineWidth}" stroke-linecap="round"/><path d="${mark.roof}"/><path d="${mark.light}" fill="${night('accent')}"/></g>`;
    return lantern + write(name, size, margin + 31 * scale, baseline);
  };

  const titled = (text: string): string => {
    const { size, lines } = typeset(text, titleFrame, lettering.widthOf);
    const written = lines.map((line, index) =>
      write(line, size, margin, Math.round(titleTop + size * (0.8 + index * lineHeight))),
    );
    return wordmark(34, 80) + written.join('');
  };

  return (title) => {
    const text = lettering.drawable(title);
    const words = text === '' || text === name ? wordmark(96, 232) : titled(text);
    const { width, height } = cardSize;
    return drawStreet({ seed: title, width, height })
      .replace(
        '<svg ',
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" `,
      )
      .replace(
        '</svg>',
        `<style>${styles}</style><g fill="${night('foreground')}">${words}</g></svg>`,
      );
  };
};

/** The street's own stylesheet with the colors of the night, without nesting: librsvg knows none. */
const nightStyles = (street: string, night: (color: string) => string): string =>
  street
    .split('}')
    .map((part) => part.split('{').slice(-2))
    .filter(([, rules]) => rules !== undefined)
    .map(([before = '', rules = '']) => [before.split('\n').at(-1)?.trim() ?? '', rules.trim()])
    .filter(([selector]) => /^\.[\w.]+$/.test(selector ?? ''))
    .map(([selector, rules]) => `${selector}{${rules}}`)
    .join('')
    .replace(/var\(--([\w-]+)\)/g, (_, color: string) => night(color));
