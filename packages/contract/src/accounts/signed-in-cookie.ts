/** Readable by scripts. Tells static pages what to show, and grants no access. */
export const signedInCookie = 'signed_in';
