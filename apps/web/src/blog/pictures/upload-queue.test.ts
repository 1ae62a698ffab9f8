import type { Picture } from '@app/contract/blog/picture-replies';
import { imageMessages } from '@app/contract/images';
import { limits } from '@app/contract/limits';
import { expect, test } from 'vitest';
import type { ApiResult } from '../../http/call-api.ts';
import { newUploadId } from './upload-id.ts';
import { createUploadQueue, type Upload } from './upload-queue.ts';

const picture: Picture = {
  ...{ id: 'a', path: '/pictures/a', width: 1, height: 1, bytes: 1, alt: '', isUsed: false },
  createdAt: '2026-03-01T00:00:00.000Z',
};
const stored: ApiResult<Picture> = { ok: true, value: picture };
const unreachable: ApiResult<Picture> = { ok: false, problem: null, retryAfter: null };
const refused: ApiResult<Picture> = {
  ok: false,
  problem: {
    ...{ type: '', title: '', status: 422, code: 'invalid_input', requestId: '' },
    detail: 'file: animated',
    issues: [{ path: 'file', message: 'animated' }],
  },
  retryAfter: null,
};

/** A queue whose requests are pending until the test replies. */
function makeQueue() {
  const sending: {
    name: string;
    signal: AbortSignal;
    reply: (result: ApiResult<Picture>) => void;
  }[] = [];
  const ended: Upload[] = [];
  const queue = createUploadQueue(
    (upload) => ended.push(upload),
    ({ name }, { signal }) => {
      const { promise, resolve } = Promise.withResolvers<ApiResult<Picture>>();
      sending.push({ name, signal, reply: resolve });
      signal.addEventListener('abort', () => resolve(unreachable));
      return promise;
    },
  );
  const add = (...names: string[]) => {
    const added = names.map((name) => ({ id: newUploadId(), file: new File(['x'], name) }));
    queue.add(added);
    return added.map(({ id }) => id);
  };
  const states = () => queue.uploads().map(({ name, state }) => `${name} ${state}`);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { queue, add, sending, ended, states, settled };
}

test('sends one file at a time, in order', async () => {
  const { add, sending, ended, states, settled } = makeQueue();
  add('a', 'b');
  expect(states()).toEqual(['a sending', 'b waiting']);
  sending[0]?.reply(stored);
  await settled();
  expect(states()).toEqual(['a stored', 'b sending']);
  expect(ended).toMatchObject([{ name: 'a', picture }]);
});

test('continues with the next file after a failure, which can be retried', async () => {
  const { queue, add, sending, ended, states, settled } = makeQueue();
  const [first = 0] = add('a', 'b');
  sending[0]?.reply(unreachable);
  await settled();
  expect(states()).toEqual(['a failed', 'b sending']);
  expect(ended).toMatchObject([{ name: 'a', canRetry: true }]);
  queue.retry(first);
  expect(states()).toEqual(['a waiting', 'b sending']);
  sending[1]?.reply(refused);
  await settled();
  expect(states()).toEqual(['a sending', 'b failed']);
  expect(ended[1]).toMatchObject({ problem: 'animated', canRetry: false });
});

test('canceling aborts the request and sends the next file', async () => {
  const { queue, add, sending, ended, states, settled } = makeQueue();
  const [first = 0, , third = 0] = add('a', 'b', 'c');
  queue.remove(third);
  queue.remove(first);
  await settled();
  expect(sending[0]?.signal.aborted).toBe(true);
  expect(states()).toEqual(['b sending']);
  sending[1]?.reply(stored);
  await settled();
  expect(ended.map(({ name }) => name)).toEqual(['b']);
  expect(sending).toHaveLength(2);
});

test('does not send a file that is too large', () => {
  const { queue, sending, ended } = makeQueue();
  const file = new File([new Uint8Array(limits.imageBytes + 1)], 'large.png');
  queue.add([{ id: newUploadId(), file }]);
  expect(sending).toEqual([]);
  expect(ended).toMatchObject([{ problem: imageMessages.tooLarge, canRetry: false }]);
});
