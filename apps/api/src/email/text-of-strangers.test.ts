import { expect, test } from 'vitest';
import { templates } from '../email-templates.ts';
import { renderEmail } from '../email-worker.ts';
import { makeTestApp, signedInBrowser } from '../testing/test-app.ts';

/** Sent to the company, or only after the owner of the address has confirmed it. */
const toOwners = [
  'contact-notice',
  'career-notice',
  'newsletter-welcome',
  'password-changed',
  'email-change-requested',
  'email-changed',
  'account-deleted',
  'google-linked',
];

const hostile = 'EVIL: call 0800 555 0199 or https://evil.example now';
const markers = /evil|0800|199/i;

/** A tag is text, too. */
const address = (name: string): string => `${name}+evil-call-0800-555-0199@example.com`;

test('an email that strangers trigger has none of their text', async () => {
  await using testApp = await makeTestApp({ renderEmail });
  const { outbox } = testApp.deps;
  const registered = address('registered');
  await signedInBrowser(testApp, registered);
  const attacker = await signedInBrowser(testApp, 'attacker@example.com');
  await attacker.send('PATCH', '/api/profile', { fullName: hostile, username: 'evil0800' });
  testApp.emails.sent.length = 0;

  const post = async (path: string, body: object, browser = testApp.browser()): Promise<void> => {
    const { status } = await browser.post(path, body);
    expect([path, status], path).toEqual([path, expect.toSatisfy((code) => code < 300)]);
    await outbox.drain();
  };
  const others = { name: hostile, message: hostile };
  const email = address('victim');
  await post('/api/contact', { ...others, email, phone: '0800', company: hostile });
  // The one above is quarantined for its links.
  await post('/api/contact', { name: 'EVIL: call 0800 555 0199', message: 'EVIL', email });
  await post('/api/careers', { ...others, email, resumeLink: 'https://evil.example' });
  await post('/api/newsletter', { email });
  for (const password of ['evil 0800', 'evil 0800 again']) {
    await post('/api/auth/sign-up', { email, password });
  }
  await post('/api/auth/resend-confirmation', { email });
  await post('/api/auth/sign-up', { email: registered, password: 'evil 0800' });
  await post('/api/auth/forgot-password', { email: registered });
  await post('/api/auth/email', { email: address('new') }, attacker);
  await post('/api/auth/email', { email: registered }, attacker);

  const received = testApp.emails.sent.filter(({ to }) => markers.test(to));
  for (const { kind, subject, text, html, headers } of received) {
    for (const part of [subject, text, html, JSON.stringify(headers)]) {
      expect([kind, part]).toEqual([kind, expect.not.stringMatching(markers)]);
    }
  }
  const kinds = new Set([...received.map(({ kind }) => kind), ...toOwners]);
  expect([...kinds].sort()).toEqual(Object.keys(templates).sort());
});
