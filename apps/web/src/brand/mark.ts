/** SVG paths of the logo, a lantern, in a 32 × 32 box. */
export const mark = {
  /** Hook and base, drawn as lines with round ends. */
  lines: 'M16 3v4M9.500 29h13',
  lineWidth: 2.25,
  roof: 'M7.500 14 11 7h10l3.500 7z',
  light: 'M9.500 15.500h13l-2 11h-9z',
} as const;
