import { minFormAge } from '@app/contract/forms/submit';
import type { FormToken } from './draft.ts';

/**
 * The API treats a form that is sent right after it was opened as spam. Autofill can be that fast,
 * so the form waits for the minimum age.
 */
export const waitForMinimumAge = (formToken: FormToken | undefined): Promise<void> => {
  // Bounded, in case the clock was set back.
  const wait = formToken ? Math.min(formToken.at + minFormAge - Date.now(), minFormAge) : 0;
  return wait > 0 ? new Promise((resolve) => setTimeout(resolve, wait)) : Promise.resolve();
};
