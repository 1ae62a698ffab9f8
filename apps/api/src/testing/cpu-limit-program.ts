import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { withCpuLimit } from '../images/cpu-limit.ts';

/** Works in native code, which cannot be interrupted, for minutes. */
const [, , milliseconds] = process.argv;
await withCpuLimit(Number(milliseconds), () =>
  promisify(pbkdf2)('password', 'salt', 2 ** 31 - 1, 64, 'sha512'),
);
