import { type ColorName, colors } from './colors.ts';

/**
 * What can be painted: CSS properties, each with the color it takes. By day as inline styles,
 * which every mail program draws; by night through the class of the same name, so that the two
 * cannot part.
 */
const paints = {
  ground: { 'background-color': 'ground' },
  raised: { 'background-color': 'raised', 'border-color': 'line' },
  quote: { 'background-color': 'ground', 'border-color': 'lamp' },
  button: { 'background-color': 'field' },
  'button-ink': { color: 'field-ink' },
  ink: { color: 'ink' },
  soft: { color: 'soft' },
  link: { color: 'field' },
  line: { 'border-color': 'line' },
  tile: { 'background-color': 'tile' },
  metal: { 'background-color': 'metal' },
  'metal-roof': { 'border-bottom-color': 'metal' },
  'light-cone': { 'border-top-color': 'light' },
  far: { 'background-color': 'far' },
  'far-roof': { 'border-bottom-color': 'far' },
  near: { 'background-color': 'near' },
  'near-roof': { 'border-bottom-color': 'near' },
  'near-too': { 'background-color': 'near-too' },
  'near-too-roof': { 'border-bottom-color': 'near-too' },
  pane: { 'background-color': 'pane' },
  lamp: { 'background-color': 'lamp' },
} as const satisfies Record<string, Partial<Record<string, ColorName>>>;

export type Paint = keyof typeof paints;

const declarations = (paint: Paint, hour: 'day' | 'night', end: string): string =>
  Object.entries(paints[paint])
    .map(([property, color]) => `${property}:${colors[color][hour]}${end}`)
    .join(';');

/** The attributes of an element that is painted so. `style` must not hold a quotation mark. */
export const painted = (paint: Paint, style = ''): string =>
  // Colors last: `border` would set one of its own.
  `class="${paint}" style="${style && `${style};`}${declarations(paint, 'day', '')}"`;

/** Outlook has no `background-color` on tables and cells, but the attribute of old. */
export const groundOf = (color: ColorName): string => `bgcolor="${colors[color].day}"`;

/** When the night colors hold. */
export const nightQuery = '(prefers-color-scheme:dark)';

const names = Object.keys(paints) as Paint[];
const nightRules = (before: readonly string[]): string =>
  names
    .map((paint) => {
      const selector = before.map((ancestor) => `${ancestor}.${paint}`).join();
      return `${selector}{${declarations(paint, 'night', '!important')}}`;
    })
    .join('');

export const nightStyles = `@media ${nightQuery}{${nightRules([''])}}`;

/**
 * Outlook's apps and its website mark what they have recolored, and take our colors instead. In
 * an element of its own: who does not know such selectors may drop the whole of it.
 */
export const outlookNightStyles = nightRules(['[data-ogsc] ', '[data-ogsb] ']);
