import { readFile } from 'node:fs/promises';
import { colorsOf } from '../src/brand/read-colors.ts';

const theme = await readFile(new URL('../src/styles/theme.css', import.meta.url), 'utf8');
const { background } = colorsOf(theme);
if (!background) throw new Error('styles/theme.css has no --background: light-dark(…)');

/** The background of each theme, which browsers give their own bars. */
export const themeColors = background;
