import { accountMessages } from '@app/contract/accounts/messages';
import { expect, test, vi } from 'vitest';
import { findCommonPasswordIssue } from './common-passwords.ts';

// Loading it takes 100 ms, so only the worker thread may do it.
vi.mock('@zxcvbn-ts/language-common', () => {
  throw new Error('loaded in the main thread');
});

test.each(['123456', 'password', 'qwerty', 'iloveyou', 'letmein', 'trustno1', 'football'])(
  'rejects %s',
  async (password) => {
    expect(await findCommonPasswordIssue(password)).toEqual({
      path: 'password',
      message: accountMessages.password.common,
    });
  },
);

test.each(['PASSWORD', 'PassWord', 'ｐａｓｓｗｏｒｄ', 'ＰＡＳＳＷＯＲＤ', '１２３４５６'])(
  'rejects %s in another spelling',
  async (password) => {
    expect(await findCommonPasswordIssue(password)).not.toBeNull();
  },
);

test.each([
  'correct horse',
  'password ',
  ' password',
  'passwordpassword of mine',
  'constructor of bridges',
  '__proto__',
  '123456\npassword',
  '',
  'x'.repeat(256),
])('accepts %j', async (password) => {
  expect(await findCommonPasswordIssue(password)).toBeNull();
});
