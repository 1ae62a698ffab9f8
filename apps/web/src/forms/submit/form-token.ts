import { minFormAge } from '@app/contract/forms/submit';
import type { FormToken } from './draft.ts';

/** A version 4 UUID (RFC 9562 §5.4). `crypto.randomUUID` is missing on pages served over plain http. */
export const newKey = (): string =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (Number(digit) ^ (byte & (15 >> (Number(digit) / 4)))).toString(16);
  });

/**
 * The API treats a form sent right after it was opened as spam. Autofill can be as fast, so the form
 * waits for the minimum age.
 */
export const waitForMinimumAge = (formToken: FormToken | undefined): Promise<void> => {
  // Bounded, in case the clock was set back.
  const wait = formToken ? Math.min(formToken.at + minFormAge - Date.now(), minFormAge) : 0;
  return wait > 0 ? new Promise((resolve) => setTimeout(resolve, wait)) : Promise.resolve();
};
