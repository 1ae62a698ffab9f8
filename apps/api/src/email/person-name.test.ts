import { expect, test } from 'vitest';
import { isPersonName } from './person-name.ts';

test.each([
  'Vera',
  'vera visitor',
  "Seán O'Brien",
  'Seán O’Brien',
  'Dr. Vera Visitor-Lee Jr.',
  'J. R. R. Tolkien',
  'J.R. Smith',
  'Jean-Luc',
  'Łukasz Żółć',
  'Jo\u0308rg',
  'Мария Иванова',
  '李小龍',
  'नरेन्द्र',
  'محمد علي',
  'A'.repeat(40),
])('%s is a name', (name) => {
  expect(isPersonName(name)).toBe(true);
});

test.each([
  '',
  ' ',
  'A'.repeat(41),
  'Vera 0800 123456',
  'call ٠٨٠٠١٢٣',
  'Vera https://evil.example',
  'www.evil.example',
  'evil.example',
  'выиграй.рф',
  'evil。example',
  'win@evil',
  'Vera, your account is locked',
  'You won! Click',
  'Vera <b>',
  'Vera\nCall us',
  'Vera\u2028Call us',
  'Vera\u202eareV',
  'Ve\u200bra',
  '...',
  "'",
  'Vera  Visitor',
  '€$',
  '🎉',
])('%j is not a name', (text) => {
  expect(isPersonName(text)).toBe(false);
});
