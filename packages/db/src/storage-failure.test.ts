import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { isTransient, storageFailureOf } from './storage-failure.ts';

const withCode = (code: string): Error => Object.assign(new Error('failed'), { code });

test.each([
  ['SQLITE_FULL', 'full'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['SQLITE_READONLY', 'read-only'],
  ['SQLITE_READONLY_DBMOVED', 'read-only'],
  ['EROFS', 'read-only'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_BUSY_SNAPSHOT', 'busy'],
  ['SQLITE_IOERR', 'io'],
  ['SQLITE_IOERR_WRITE', 'io'],
  ['SQLITE_CANTOPEN', 'io'],
  ['EIO', 'io'],
  ['PRIMARY_UNAVAILABLE', 'unavailable'],
  ['SQLITE_CORRUPT', 'corrupt'],
  ['SQLITE_NOTADB', 'corrupt'],
])('%s is %s, also as the cause of another error', (code, failure) => {
  const error = withCode(code);
  expect(storageFailureOf(error)).toBe(failure);
  expect(storageFailureOf(new DrizzleQueryError('insert', [], error))).toBe(failure);
  expect(
    storageFailureOf(new Error('outer', { cause: new Error('inner', { cause: error }) })),
  ).toBe(failure);
  expect(isTransient(failure as never)).toBe(failure !== 'corrupt');
});

test.each([
  new Error('a bug'),
  withCode('SQLITE_CONSTRAINT_UNIQUE'),
  // Not from a trigger of a move.
  withCode('SQLITE_CONSTRAINT_TRIGGER'),
  withCode('SQLITE_ERROR'),
  withCode('ENOENT'),
  withCode('XSQLITE_FULL'),
  'SQLITE_FULL',
  null,
])('%s is not a storage failure', (error) => {
  expect(storageFailureOf(error)).toBeNull();
  expect(isTransient(null)).toBe(false);
});

test('terminates on circular causes', () => {
  const error = new Error('outer');
  error.cause = error;
  expect(storageFailureOf(error)).toBeNull();
});
