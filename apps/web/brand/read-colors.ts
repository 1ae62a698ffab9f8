import { type Color, formatHex, parse, toGamut } from 'culori';

interface ThemeColors {
  day: string;
  night: string;
}

/** The two colors of `light-dark(day, night)`. */
const pair = /^light-dark\(((?:[^(),]|\([^()]*\))+),((?:[^(),]|\([^()]*\))+)\)$/;

const toSrgb = toGamut('rgb', 'oklch');

/** Social cards, icons and meta tags cannot use CSS: in hex, and without transparency. */
const toHex = (text = ''): string | undefined => {
  const color: Color | undefined = parse(text.trim());
  return color && (color.alpha ?? 1) === 1 ? formatHex(toSrgb(color)) : undefined;
};

/**
 * @returns what looks up each `--name: light-dark(day, night)` of a stylesheet, and throws for what
 *   is missing or cannot be read
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
