import { messages } from '@app/contract/messages';
import { problems } from '@app/contract/problems';
import { expect, test } from 'vitest';
import type { Failure } from '../../http/call-api.ts';
import { failureFlash } from './flash-message.ts';

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
  ['no answer came', unreachable],
  ['nothing can be stored', busy],
])('when %s, what was typed is still there only where something was typed', (_, failure) => {
  const { description: textKept } = messages.forms.notSent;
  const typed = failureFlash(failure, { title: 'Failed', isTyped: true }).toast.description;
  expect(typed).toContain(textKept);
  expect(failureFlash(failure, { title: 'Failed' }).toast.description).not.toContain(textKept);
});
