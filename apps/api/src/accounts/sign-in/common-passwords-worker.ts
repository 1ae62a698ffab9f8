import { parentPort } from 'node:worker_threads';
import { limits } from '@app/contract/limits';
import { dictionary } from '@zxcvbn-ts/language-common';
import { normalizePassword } from './normalize-password.ts';

const passwords = dictionary['passwords-common']
  .filter(({ length }) => length >= limits.passwordMin)
  .map((password) => `\n${normalizePassword(password)}`);
parentPort?.postMessage(`${passwords.join('')}\n`);
