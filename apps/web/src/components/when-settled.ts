import type { PublishingStatus } from '@app/contract/blog/replies';
import { callApi } from '../http/call-api.ts';

/** In milliseconds. */
const firstDelay = 500;
const maxDelay = 10_000;
/** Amounts to about ten minutes. */
const maxPolls = 64;

/**
 * Polls the publishing status of a post until it is not 'pending', with increasing delays, and only
 * while the page is visible.
 * @returns the state; null after too many polls, or if the result is no longer wanted
 */
export const whenSettled = async (
  path: string,
  isWanted: () => boolean,
): Promise<PublishingStatus['state'] | null> => {
  for (let polls = 0; polls < maxPolls; polls += 1) {
    await pause(Math.min(firstDelay * 2 ** polls, maxDelay));
    await untilVisible();
    if (!isWanted()) return null;
    const reply = await callApi<PublishingStatus>('GET', path);
    if (reply.ok && reply.value.state !== 'pending') return reply.value.state;
  }
  return null;
};

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

const untilVisible = async (): Promise<void> => {
  while (document.hidden) {
    await new Promise((resolve) => {
      document.addEventListener('visibilitychange', resolve, { once: true });
    });
  }
};
