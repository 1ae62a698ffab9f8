import { messages } from '@app/contract/messages';
import { problems } from '@app/contract/problems';
import { expect, test } from 'vitest';
import type { Failure } from '../../http/call-api.ts';
import { flashAfterFailure } from './flash-message.ts';

const unreachable: Failure = { ok: false, problem: null, retryAfter: null };
const busy: Failure = {
  ok: false,
  problem: {
    ...problems.busy,
    type: 'about:blank',
    code: 'busy',
    detail: 'Nothing can be saved right now.',
    requestId: '1',
  },
  retryAfter: 15,
};

test.each([
  ['the API is unreachable', unreachable],
  ['the API cannot store anything', busy],
])('if %s, mentions typed text only if there is any', (_, failure) => {
  const { description: textKept } = messages.forms.notSent;
  const typed = flashAfterFailure(failure, { title: 'Failed', isTyped: true }).result?.toast
    .description;
  expect(typed).toContain(textKept);
  expect(flashAfterFailure(failure, { title: 'Failed' }).result?.toast.description).not.toContain(
    textKept,
  );
});
