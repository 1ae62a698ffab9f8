import type { AuthErrorCode } from '@app/contract/accounts/auth-errors';
import { onTestFinished } from 'vitest';
import type { Deps } from '../deps.ts';
import { OidcProvider } from './oidc-provider.ts';
import { MovingClock, makeTestApp, type TestApp, type TestBrowser } from './test-app.ts';

export const ann = {
  sub: '110169484474386276334',
  email: 'ann@example.com',
  email_verified: true,
  name: 'Ann Author',
};

/** An app and its provider, both stopped after the test. */
export async function startWithGoogle(
  settings: Partial<Deps['settings']> = {},
): Promise<{ testApp: TestApp; provider: OidcProvider }> {
  const clock = new MovingClock();
  const provider = await OidcProvider.start(() => clock.now());
  provider.person = ann;
  const testApp = await makeTestApp({
    clock,
    settings: { google: provider.settings, ...settings },
  });
  onTestFinished(async () => {
    await testApp[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });
  return { testApp, provider };
}

/** @returns the URL that the provider redirects back to */
export async function goToGoogle(
  browser: TestBrowser,
  provider: OidcProvider,
  path = '/api/auth/google',
): Promise<string> {
  const response = await browser.get(path);
  const url = response.headers.get('Location');
  if (response.status !== 302 || url === null) {
    throw new Error(`the authorization request was answered with ${response.status} ${url}`);
  }
  const { pathname, search } = await provider.authorize(url);
  return pathname + search;
}

/** @returns where the sign-in leads */
export async function signInWithGoogle(
  browser: TestBrowser,
  provider: OidcProvider,
  path?: string,
): Promise<string | null> {
  return leadsTo(await browser.get(await goToGoogle(browser, provider, path)));
}

export function leadsTo(response: Response): string | null {
  if (response.status !== 303) throw new Error(`the response has status ${response.status}`);
  return response.headers.get('Location');
}

export const errorPage = (error: AuthErrorCode): string => `/auth?error=${error}#google-failed`;
