import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { profileChange } from './profile.ts';

test.each([
  ['username', limits.username],
  ['fullName', limits.name],
])('rejects a long %s without normalizing it', (field, max) => {
  // Normalizing these marks takes quadratic time.
  const name = `a${'\u0301'.repeat(60_000)}${'\u0327'.repeat(60_000)}`;
  const normalize = vi.spyOn(String.prototype, 'normalize');

  const { issues } = v.safeParse(profileChange, { [field]: name }, { abortPipeEarly: true });

  expect(issues).toMatchObject([{ message: messages.field.tooLong(max) }]);
  expect(normalize).not.toHaveBeenCalled();
});
