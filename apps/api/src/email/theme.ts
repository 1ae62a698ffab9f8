import type { CSSProperties } from 'react';

/** The colors of emails in both themes. A test compares them with the site's stylesheet. */
export const colors = {
  background: { day: '#fbf7ef', night: '#0d1413' },
  surface: { day: '#ffffff', night: '#141d1b' },
  foreground: { day: '#15211e', night: '#f1ede3' },
  'muted-foreground': { day: '#4c5a55', night: '#a9b4ae' },
  border: { day: '#e4dccb', night: '#25312e' },
  accent: { day: '#f0a534', night: '#ffc163' },
  primary: { day: '#0f5140', night: '#8fd8b8' },
  'primary-foreground': { day: '#ffffff', night: '#0b1a15' },
  far: { day: '#ccd6c3', night: '#1c3237' },
  near: { day: '#0f5140', night: '#2f4c44' },
  'near-too': { day: '#2d6a57', night: '#264039' },
  pane: { day: '#d5e3d6', night: '#15262a' },
  tile: { day: '#0f5140', night: '#264039' },
  metal: { day: '#fbf7ef', night: '#fbf7ef' },
  light: { day: '#ffc163', night: '#ffc163' },
} as const satisfies Record<string, { day: string; night: string }>;

type ColorName = keyof typeof colors;
type ColorProperty = 'color' | 'backgroundColor' | 'borderColor' | `border${'Top' | 'Bottom'}Color`;

const classes = {
  page: { backgroundColor: 'background' },
  card: { backgroundColor: 'surface', borderColor: 'border' },
  quote: { backgroundColor: 'background', borderColor: 'accent' },
  button: { backgroundColor: 'primary', color: 'primary-foreground' },
  ink: { color: 'foreground' },
  soft: { color: 'muted-foreground' },
  link: { color: 'primary' },
  line: { borderColor: 'border' },
  note: { borderColor: 'border', color: 'muted-foreground' },
  tile: { backgroundColor: 'tile' },
  metal: { backgroundColor: 'metal' },
  'metal-roof': { borderBottomColor: 'metal' },
  'light-cone': { borderTopColor: 'light' },
  far: { backgroundColor: 'far' },
  'far-roof': { borderBottomColor: 'far' },
  near: { backgroundColor: 'near' },
  'near-roof': { borderBottomColor: 'near' },
  'near-too': { backgroundColor: 'near-too' },
  'near-too-roof': { borderBottomColor: 'near-too' },
  pane: { backgroundColor: 'pane' },
  lamp: { backgroundColor: 'accent' },
} as const satisfies Record<string, Partial<Record<ColorProperty, ColorName>>>;

export type ThemeClass = keyof typeof classes;
const names = Object.keys(classes) as ThemeClass[];

/** Inline styles have the light colors, the class has the dark ones. */
export const themed = (name: ThemeClass, style: CSSProperties = {}) => ({
  className: name,
  // Last, because `border` would reset the color.
  style: { ...style, ...colorsAt(name, 'day') },
});

const colorsAt = (name: ThemeClass, hour: 'day' | 'night'): CSSProperties =>
  Object.fromEntries(
    Object.entries(classes[name]).map(([property, color]) => [property, colors[color][hour]]),
  );

const rule = (name: ThemeClass, ancestors: readonly string[]): string => {
  const declarations = Object.entries(colorsAt(name, 'night')).map(([property, color]) => {
    const cssName = property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `${cssName}:${color}!important`;
  });
  return `${ancestors.map((ancestor) => `${ancestor}.${name}`).join()}{${declarations.join(';')}}`;
};

export const nightQuery = '(prefers-color-scheme:dark)';

export const nightStyles = `@media ${nightQuery}{${names.map((name) => rule(name, [''])).join('')}}`;

/**
 * Outlook's apps and website mark recolored elements with these attributes. The rules are in a
 * separate style element, because some clients drop a whole element with unknown selectors.
 */
export const outlookNightStyles = names
  .map((name) => rule(name, ['[data-ogsc] ', '[data-ogsb] ']))
  .join('');
