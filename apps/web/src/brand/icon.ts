import { colors } from './colors.ts';
import { smallMark } from './mark.ts';

/**
 * `tile` has round corners and nothing around it. `full` leaves the corners to the phone,
 * which cuts what it likes from the edges: the mark stays within the safe zone of a maskable
 * icon, a circle of 80 % (W3C Web App Manifest, "Icon masks and safe zone").
 */
export type IconShape = 'tile' | 'full';

const { field, 'near-too': field2, ground, lamp } = colors;

export const iconSvg = (shape: IconShape): string => {
  const corners = shape === 'tile' ? ' rx="7"' : '';
  const mark = `<path d="${smallMark.metal}" fill="${ground?.day}"/><path d="${smallMark.light}" fill="${lamp?.night}"/>`;
  const placed =
    shape === 'tile'
      ? mark
      : `<g transform="translate(16 16) scale(.78) translate(-16 -16)">${mark}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>@media(prefers-color-scheme:dark){rect{fill:${field2?.day}}}</style><rect width="32" height="32"${corners} fill="${field?.day}"/>${placed}</svg>`;
};

/**
 * The icon in the tab as an address that nothing has to be fetched for: a third download beside
 * the two fonts would hold both up on a slow line.
 */
export const iconAddress = `data:image/svg+xml,${iconSvg('tile')
  .replaceAll('"', "'")
  .replace(/[#%<>{}]/g, encodeURIComponent)}`;
