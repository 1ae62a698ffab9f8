let last = 0;

/** Unique on the page, and larger for later uploads. */
export const newUploadId = (): number => ++last;
