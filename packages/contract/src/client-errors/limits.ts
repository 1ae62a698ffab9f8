/** Of a message and of a stack, in characters; browsers cut off the rest. */
export const maxText = 1_000;

/** Per page view. */
export const maxReports = 3;
