import { fastestSubmission } from '@app/contract/forms/submit';
import type { Stamp } from './draft.ts';

/** A version 4 UUID (RFC 9562 §5.4). `crypto.randomUUID` is missing on pages served over plain http. */
export const newKey = (): string =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (place) => {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (Number(place) ^ (byte & (15 >> (Number(place) / 4)))).toString(16);
  });

/**
 * The API takes a form that is sent as soon as it is opened for the work of a program. Somebody
 * whose browser has filled it in may be as fast: then the form takes its time.
 */
export const waitForMinimumAge = (stamp: Stamp | undefined): Promise<void> => {
  // A clock that was set back meanwhile makes nobody wait for longer.
  const wait = stamp ? Math.min(stamp.at + fastestSubmission - Date.now(), fastestSubmission) : 0;
  return wait > 0 ? new Promise((resolve) => setTimeout(resolve, wait)) : Promise.resolve();
};
