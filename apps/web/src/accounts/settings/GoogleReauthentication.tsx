export const GoogleReauthentication = () => (
  <a className="button button-outline mt-3 w-full" href="/api/auth/google?again">
    Continue with Google
  </a>
);
