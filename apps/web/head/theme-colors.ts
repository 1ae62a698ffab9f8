import { readFile } from 'node:fs/promises';
import { readColors } from '../brand/read-colors.ts';

const theme = await readFile(new URL('../src/styles/theme.css', import.meta.url), 'utf8');

/** The background of each theme, for `<meta name="theme-color">`. */
export const themeColors = readColors(theme)('background');
