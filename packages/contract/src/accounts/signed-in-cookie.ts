/** Readable by scripts. Only tells static pages what to show; grants nothing. */
export const signedInCookie = 'signed_in';
