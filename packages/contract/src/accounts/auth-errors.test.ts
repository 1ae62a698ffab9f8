import { describe, expect, it } from 'vitest';
import { authErrors, authErrorText } from './auth-errors.ts';
import { accountMessages } from './messages.ts';

describe('authErrorText', () => {
  it.each(Object.entries(authErrors))('returns the message of the code %s', (code, words) => {
    expect(authErrorText(code)).toBe(words);
    expect(words).not.toBe('');
  });

  it('returns any other text unchanged, even names of built-in properties', () => {
    expect(authErrorText('The provider said no.')).toBe('The provider said no.');
    expect(authErrorText('constructor')).toBe('constructor');
    expect(authErrorText('<b>bold</b>')).toBe('<b>bold</b>');
  });

  it.each([
    ['a right-to-left override', 'call \u202e7-4321', 'call 7-4321'],
    ['isolates', '\u2067abc\u2069', 'abc'],
    ['control characters and line ends', 'a\u0000b\r\nc\u2028d', 'a b c d'],
    ['zero-width characters', 'pay\u200bpal\ufeff', 'pay pal'],
    ['a lone surrogate', 'a\ud800b', 'a b'],
    ['stacked combining marks', `a${'\u0301'.repeat(200)}b`, 'a\u0301\u0301b'],
    ['everything from invisible text', '\u202e \u200b', ''],
  ])('removes %s', (_, text, words) => {
    expect(authErrorText(text)).toBe(words);
  });

  it('truncates to 120 characters without splitting one', () => {
    expect(authErrorText('x'.repeat(120))).toBe('x'.repeat(120));
    expect([...authErrorText('x'.repeat(121))]).toHaveLength(120);
    expect(authErrorText('🔧'.repeat(500))).toBe(`${'🔧'.repeat(119)}…`);
    expect(authErrorText(`${' '.repeat(100_000)}x`)).toBe('');
  });

  it('keeps text in any script', () => {
    expect(authErrorText('تم إلغاء تسجيل الدخول')).toBe('تم إلغاء تسجيل الدخول');
    expect(authErrorText(accountMessages.google.canceled)).toBe(accountMessages.google.canceled);
  });
});
