/** Of the drawing that stands in for a cover. */
export const coverSize = { width: 640, height: 360 } as const;
