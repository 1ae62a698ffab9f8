import theme from '../styles/theme.css?raw';
import { colorsOf } from './read-colors.ts';

/** The colors of styles/theme.css, for what is drawn without a stylesheet. */
export const colors = colorsOf(theme);
