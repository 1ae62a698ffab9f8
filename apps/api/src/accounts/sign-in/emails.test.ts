import { company } from '@app/site/company';
import { expect, test } from 'vitest';
import { drawn } from '../../email/letter.ts';
import { emailChangedMail, emailChangeMail, passwordResetMail } from './emails.ts';

const link = 'https://site.example/reset?token=abc';

test.each([
  [1, 'one hour'],
  [24, '24 hours'],
])('a link that works for %i h says so in words', (hours, words) => {
  for (const mail of [
    passwordResetMail('ann@example.com', link, hours),
    emailChangeMail('ann@example.com', link, hours),
  ].map(drawn)) {
    expect(mail.to).toBe('ann@example.com');
    expect(mail.html).toContain(`for ${words}.`);
    expect(mail.text.split('\n')).toContain(link);
    expect(mail.html.split(`href="${link}"`)).toHaveLength(3);
  }
});

test('the old address learns the new one, and how to object', () => {
  const { to, replyTo, text } = drawn(emailChangedMail('ann@example.com', 'thief@example.com'));
  expect(to).toBe('ann@example.com');
  expect(replyTo).toBe(company.mailboxes.hello);
  expect(text).toContain('Before: ann@example.com\nNow: thief@example.com');
  expect(text).not.toContain('http');
});
