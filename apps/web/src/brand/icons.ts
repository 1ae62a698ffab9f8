import type { IconShape } from './icon.ts';

/** The app icons by name, each at /{name}.png; `size` in pixels. */
export const icons: Readonly<Record<string, { shape: IconShape; size: number }>> = {
  'icon-192': { shape: 'tile', size: 192 },
  'icon-512': { shape: 'tile', size: 512 },
  'icon-maskable-512': { shape: 'full', size: 512 },
  'apple-touch-icon': { shape: 'full', size: 180 },
};
