/** Readable by scripts; tells static pages which face to show and grants nothing. */
export const signedInCookie = 'signed_in';
