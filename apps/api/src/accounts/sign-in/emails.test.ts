import { company } from '@app/site/company';
import { expect, test } from 'vitest';
import { render } from '../../testing/test-email.ts';
import { emailChangedEmail, emailChangeEmail, passwordResetEmail } from './emails.ts';

const link = 'https://site.example/reset?token=abc';

test.each([
  [1, 'one hour'],
  [24, '24 hours'],
])('says that a link works for %i h', async (hours, words) => {
  for (const email of [
    passwordResetEmail('ann@example.com', link, hours),
    emailChangeEmail('ann@example.com', link, hours),
  ]) {
    const sentEmail = await render(email);
    expect(sentEmail.to).toBe('ann@example.com');
    expect(sentEmail.html).toContain(`for ${words}.`);
    expect(sentEmail.text.split(/\s/)).toContain(link);
    expect(sentEmail.html.split(`href="${link}"`)).toHaveLength(3);
  }
});

test('tells the old address the new one, and how to object', async () => {
  const email = emailChangedEmail('ann@example.com', 'thief@example.com');
  const { to, replyTo, text } = await render(email);
  expect(to).toBe('ann@example.com');
  expect(replyTo).toBe(company.mailboxes.hello);
  expect(text).toContain('Before: ann@example.com\nNow: thief@example.com');
  expect(text).not.toContain('http');
});
