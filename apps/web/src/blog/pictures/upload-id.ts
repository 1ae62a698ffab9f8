let last = 0;

/** Unique on the page; larger for later uploads. */
export const newUploadId = (): number => ++last;
