/** Guesses vary case and character width, too (Unicode Standard Annex #15, NFKC). */
export const normalizePassword = (password: string): string =>
  password.normalize('NFKC').toLowerCase();
