import { company } from '@app/site/company';
import { expect, test } from 'vitest';
import { render } from '../../testing/test-mail.ts';
import { emailChangedMail, emailChangeMail, passwordResetMail } from './emails.ts';

const link = 'https://site.example/reset?token=abc';

test.each([
  [1, 'one hour'],
  [24, '24 hours'],
])('says that a link works for %i h', async (hours, words) => {
  for (const email of [
    passwordResetMail('ann@example.com', link, hours),
    emailChangeMail('ann@example.com', link, hours),
  ]) {
    const mail = await render(email);
    expect(mail.to).toBe('ann@example.com');
    expect(mail.html).toContain(`for ${words}.`);
    expect(mail.text.split(/\s/)).toContain(link);
    expect(mail.html.split(`href="${link}"`)).toHaveLength(3);
  }
});

test('tells the old address the new one, and how to object', async () => {
  const email = emailChangedMail('ann@example.com', 'thief@example.com');
  const { to, replyTo, text } = await render(email);
  expect(to).toBe('ann@example.com');
  expect(replyTo).toBe(company.mailboxes.hello);
  expect(text).toContain('Before: ann@example.com\nNow: thief@example.com');
  expect(text).not.toContain('http');
});
