/** The lantern beside the door, in a box of 32 × 32: SVG path data. */
export const mark = {
  /** Lines of this width with round ends: what it hangs on and stands on. */
  lines: 'M16 3v4M9.500 29h13',
  lineWidth: 2.25,
  roof: 'M7.500 14 11 7h10l3.500 7z',
  light: 'M9.500 15.500h13l-2 11h-9z',
} as const;

/** The same for 16 pixels: fewer and wider shapes, with their edges on whole pixels. */
export const smallMark = {
  metal: 'M14 4h4v2h4l4 6H6l4-6h4zM10 26h12v2H10z',
  light: 'M8 14h16l-3 10H11z',
} as const;
