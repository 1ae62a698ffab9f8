/** Served by src/pages/report-errors.js.ts. */
export const reporterPath = '/report-errors.js';
