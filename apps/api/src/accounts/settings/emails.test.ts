import { company } from '@app/site/company';
import { expect, test } from 'vitest';
import { render } from '../../testing/test-email.ts';
import { emailChangedEmail, emailChangeEmail } from './emails.ts';

const link = 'https://site.example/change?token=abc';

test.each([
  [1, 'one hour'],
  [24, '24 hours'],
])('says that a link works for %i h', async (hours, words) => {
  const email = await render(emailChangeEmail('ann@example.com', link, hours));
  expect(email.to).toBe('ann@example.com');
  expect(email.html).toContain(`for ${words}.`);
  expect(email.text.split(/\s/)).toContain(link);
  expect(email.html.split(`href="${link}"`)).toHaveLength(3);
});

test('tells the old address the new one, and how to object', async () => {
  const email = emailChangedEmail('ann@example.com', 'thief@example.com');
  const { to, replyTo, text } = await render(email);
  expect(to).toBe('ann@example.com');
  expect(replyTo).toBe(company.mailboxes.hello);
  expect(text).toContain('Before: ann@example.com\nNow: thief@example.com');
  expect(text).not.toContain('http');
});
