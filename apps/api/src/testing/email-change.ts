import { signedInBrowser, type TestApp, type TestBrowser, tokenEmailedTo } from './test-app.ts';

export const email = 'ann@example.com';
export const newEmail = 'ann@new.example';
export const password = 'correct horse';

export const requestChange = (browser: TestBrowser, address = newEmail) =>
  browser.post('/api/auth/email', { email: address });

export const confirmChange = (browser: TestBrowser, token: string) =>
  browser.post('/api/auth/change-email', { token });

/** Ann's browser after the request, and the token sent to the new address. */
export async function changeRequested(
  testApp: TestApp,
): Promise<{ ann: TestBrowser; token: string }> {
  const ann = await signedInBrowser(testApp, email);
  const response = await requestChange(ann);
  if (response.status !== 202) throw new Error(`the request was answered ${response.status}`);
  await testApp.deps.outbox.drain();
  return { ann, token: tokenEmailedTo(testApp, newEmail) };
}

export async function signedInAgain(testApp: TestApp): Promise<TestBrowser> {
  const browser = testApp.browser();
  await browser.post('/api/auth/sign-in', { email, password });
  return browser;
}
