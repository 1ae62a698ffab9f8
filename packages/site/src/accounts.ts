export const accounts = {
  /**
   * Whether the sign-in page has a Google button. /api/auth/google works without it, once
   * GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are set.
   */
  showGoogleButton: false,
};
