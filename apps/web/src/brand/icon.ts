import sharp from 'sharp';
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
  const scale =
    shape === 'tile' ? '' : ' transform="translate(16 16) scale(.78) translate(-16 -16)"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>@media(prefers-color-scheme:dark){rect{fill:${field2?.day}}}</style><rect width="32" height="32"${corners} fill="${field?.day}"/><g${scale}><path d="${smallMark.metal}" fill="${ground?.day}"/><path d="${smallMark.light}" fill="${lamp?.night}"/></g></svg>`;
};

/** @param size in pixels, of each side */
export const iconPng = (shape: IconShape, size: number): Promise<Buffer> =>
  sharp(Buffer.from(iconSvg(shape)), { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ palette: true, compressionLevel: 9, effort: 10 })
    .toBuffer();
