/** `pnpm test:full`: what tries many cases of the same rule tries all of them. */
export const isFullRun = process.env['FULL_TESTS'] === '1';
