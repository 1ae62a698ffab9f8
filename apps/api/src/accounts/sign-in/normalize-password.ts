/** Guesses try capitals and full-width letters too (Unicode Standard Annex #15, NFKC). */
export const normalizePassword = (password: string): string =>
  password.normalize('NFKC').toLowerCase();
