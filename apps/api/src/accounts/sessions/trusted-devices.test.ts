import { expect, test } from 'vitest';
import { MovingClock } from '../../testing/test-app.ts';
import { createTrustedDevices, deviceLifetime } from './trusted-devices.ts';

const clock = new MovingClock();
const ann = { id: 'ann', passwordHash: '$argon2id$one' };
const devices = createTrustedDevices('a secret', clock);

test('recognizes a cookie for its account, and gives each its own nonce', () => {
  const [one, two] = [devices.issue(ann), devices.issue(ann)];
  expect(devices.recognize(one, ann)).toMatch(/^[\w-]{43}$/);
  expect(devices.recognize(one, ann)).toBe(devices.recognize(one, ann));
  expect(devices.recognize(one, ann)).not.toBe(devices.recognize(two, ann));
});

test('rejects a cookie of another account', () => {
  expect(devices.recognize(devices.issue(ann), { ...ann, id: 'bob' })).toBeNull();
});

test('rejects a cookie after the password has changed', () => {
  const changed = { ...ann, passwordHash: '$argon2id$another' };
  expect(devices.recognize(devices.issue(ann), changed)).toBeNull();
  expect(devices.recognize(devices.issue(changed), changed)).not.toBeNull();
});

test('rejects a cookie signed with another secret', () => {
  const other = createTrustedDevices('another secret', clock);
  expect(devices.recognize(other.issue(ann), ann)).toBeNull();
});

test('rejects a modified cookie', () => {
  const parts = devices.issue(ann).split('.');
  const changed = (at: number, part: string) => parts.with(at, part).join('.');
  for (const forged of [
    changed(0, 'another-nonce'),
    changed(1, String(clock.now() + 1)),
    changed(2, 'x'.repeat(43)),
    changed(2, ''),
  ]) {
    expect(devices.recognize(forged, ann)).toBeNull();
  }
});

test.each([undefined, '', '.', '..', '....', 'forged', `${'x'.repeat(43)}.0.`, '\u0000'])(
  'rejects the cookie %j',
  (cookie) => {
    expect(devices.recognize(cookie, ann)).toBeNull();
  },
);

test('rejects a cookie after a year', () => {
  const cookie = devices.issue(ann);
  clock.move(deviceLifetime * 1_000 - 1);
  expect(devices.recognize(cookie, ann)).not.toBeNull();
  clock.move(1);
  expect(devices.recognize(cookie, ann)).toBeNull();
});
