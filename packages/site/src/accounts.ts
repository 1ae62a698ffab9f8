export const accounts = {
  /**
   * Whether the sign-in page shows a button for Google. The way in is there without it, at
   * /api/auth/google, once GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are set.
   */
  showGoogleButton: false,
};
