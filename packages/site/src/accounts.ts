export const accounts = {
  /**
   * Whether the sign-in page has a Google button. Once GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET
   * are set, /api/auth/google works even without the button.
   */
  showGoogleButton: false,
};
