import { expect, test } from 'vitest';
import { readColors } from './read-colors.ts';

test.each([
  ['light-dark(#FBF7EF, #0d1413)', '#fbf7ef', '#0d1413'],
  ['light-dark(#fff, black)', '#ffffff', '#000000'],
  ['light-dark(rgb(255, 0, 0), hsl(120 100% 50%))', '#ff0000', '#00ff00'],
  ['light-dark(\n  oklch(1 0 0),\n  oklch(0% 0 0 / 1)\n)', '#ffffff', '#000000'],
  ['light-dark(color(display-p3 1 1 1), lab(100% 0 0))', '#ffffff', '#ffffff'],
])('converts %s to hex', (value, day, night) => {
  const colorOf = readColors(`:root { --other: #123456; --near: ${value}; --near-too: none; }`);
  expect(colorOf('near')).toEqual({ day, night });
});

test('maps a color outside of sRGB to the nearest one inside', () => {
  const colorOf = readColors('--accent: light-dark(oklch(70% 0.4 150), oklch(70% 0.4 150));');
  expect(colorOf('accent').day).toMatch(/^#[0-9a-f]{6}$/);
});

test.each([
  '#fbf7ef',
  'light-dark(var(--muted), #0d1413)',
  'light-dark(#fbf7ef, #0d14)',
  'light-dark(#fbf7ef)',
  'light-dark(#fbf7ef, nightblue)',
  'light-dark(#fbf7ef, rgb(0 0 0 / 50%))',
])('rejects %s with an error that explains the format', (value) => {
  const colorOf = readColors(`--background: light-dark(#fff, #000); --foreground: ${value};`);
  expect(() => colorOf('foreground')).toThrow(
    `styles/theme.css: write --foreground as light-dark(day, night) with two opaque colors, such as light-dark(#fbf7ef, oklch(18% 0.01 180)). It is ${value}.`,
  );
});

test('uses the last declaration, as CSS does, and rejects a missing one', () => {
  const colorOf = readColors('--background: light-dark(#fff, #000); .dark { --background: #111; }');
  expect(() => colorOf('background')).toThrow('It is #111.');
  expect(() => colorOf('foreground')).toThrow('It is missing.');
});
