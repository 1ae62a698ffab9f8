/** Characters of a message or a stack. Browsers truncate longer ones before sending. */
export const maxText = 1_000;

/** Reports per page view. */
export const maxReports = 3;
