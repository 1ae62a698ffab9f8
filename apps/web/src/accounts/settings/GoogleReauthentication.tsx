import { settings } from '@app/site/accounts/settings';

export const GoogleReauthentication = () => (
  <a className="button button-outline mt-3 w-full" href="/api/auth/google?again">
    {settings.reauthentication.google}
  </a>
);
