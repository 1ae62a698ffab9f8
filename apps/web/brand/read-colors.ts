import { type Color, formatHex, parse, toGamut } from 'culori';

interface ThemeColors {
  day: string;
  night: string;
}

/** The two colors of `light-dark(day, night)`. */
const pair = /^light-dark\(((?:[^(),]|\([^()]*\))+),((?:[^(),]|\([^()]*\))+)\)$/;

const toSrgb = toGamut('rgb', 'oklch');

/** Opaque and in hex, for social cards, icons and meta tags, which do not support CSS colors. */
const toHex = (text = ''): string | undefined => {
  const color: Color | undefined = parse(text.trim());
  return color && (color.alpha ?? 1) === 1 ? formatHex(toSrgb(color)) : undefined;
};

/**
 * Reads custom properties such as `--name: light-dark(day, night)` from a stylesheet.
 * @throws if a property is missing or has another format
 */
export const readColors =
  (css: string) =>
  (name: string): ThemeColors => {
    const value = lastValueOf(name, css);
    const [, ...colors] = pair.exec(value) ?? [];
    const [day, night] = colors.map(toHex);
    if (day && night) return { day, night };
    throw new Error(
      `styles/theme.css: write --${name} as light-dark(day, night) with two opaque colors, such as light-dark(#fbf7ef, oklch(18% 0.01 180)). ${value ? `It is ${value}.` : 'It is missing.'}`,
    );
  };

const lastValueOf = (name: string, css: string): string => {
  const property = `--${name}:`;
  const start = css.lastIndexOf(property);
  return start < 0 ? '' : css.slice(start + property.length, css.indexOf(';', start)).trim();
};
