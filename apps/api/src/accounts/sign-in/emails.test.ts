import { expect, test } from 'vitest';
import { render } from '../../testing/test-email.ts';
import { passwordResetEmail } from './emails.ts';

const link = 'https://site.example/reset?token=abc';

test.each([
  [1, 'one hour'],
  [24, '24 hours'],
])('says that a link works for %i h', async (hours, words) => {
  const email = await render(passwordResetEmail('ann@example.com', link, hours));
  expect(email.to).toBe('ann@example.com');
  expect(email.html).toContain(`for ${words}.`);
  expect(email.text.split(/\s/)).toContain(link);
  expect(email.html.split(`href="${link}"`)).toHaveLength(3);
});
