/** Size of the illustration behind covers, in pixels. */
export const coverSize = { width: 640, height: 360 } as const;

/** Values for `sizes` (HTML, 4.8.4.2.1). */
export const coverSizes = {
  card: '(min-width: 76rem) 23rem, (min-width: 48rem) 46vw, calc(100vw - 2.5rem)',
  post: '(min-width: 76rem) 70rem, calc(100vw - 2.5rem)',
} as const;
