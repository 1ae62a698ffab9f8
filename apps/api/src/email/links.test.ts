import { expect, test } from 'vitest';
import { emailLink, phoneLink } from './links.ts';

test.each([
  ['ann@example.com', 'mailto:ann@example.com'],
  ['ann+site@example.com', 'mailto:ann%2Bsite@example.com'],
  ["o'hara@example.com", "mailto:o'hara@example.com"],
  ['ann?bcc=all@example.com', 'mailto:ann%3Fbcc%3Dall@example.com'],
])('formats %s as a mailto: link', (email, href) => {
  expect(emailLink(email)).toBe(href);
});

test.each([
  ['+1 (555) 010-0177', 'tel:+15550100177'],
  ['555.010.0177', 'tel:5550100177'],
])('formats %s as a tel: link', (phone, href) => {
  expect(phoneLink(phone)).toBe(href);
});

test.each(['after six, please', '12', '+1 555 0100 ext. 7', '1; javascript:alert(1)', ''])(
  '%j is not a phone number',
  (phone) => {
    expect(phoneLink(phone)).toBeUndefined();
  },
);
