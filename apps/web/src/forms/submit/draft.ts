import { honeypotField } from '@app/contract/forms/honeypot';
import type { ConfirmationRequests } from '@app/contract/forms/newsletter';

/**
 * Typed but unsent text. Stored in sessionStorage, so that it survives a reload or a crash, but not
 * the end of the tab, because computers can be shared.
 */
export interface Draft {
  entries: Record<string, string>;
  attempt?: Attempt | undefined;
  formToken?: FormToken | undefined;
  /** Only for the newsletter. */
  confirmationRequests?: ConfirmationRequests | undefined;
}

/** A submission. Retries of the same content use the same idempotency key. */
export interface Attempt {
  key: string;
  /** JSON, without the form token. */
  content: string;
  /** Part of the attempt, because the API compares whole bodies sent under one key. */
  formToken: string | undefined;
  /** True from submit until the response, so that a reloaded page sends it again. */
  isPending: boolean;
}

/** The API's signed timestamp of the time when the form was opened. */
export interface FormToken {
  text: string;
  /** When it was received, in epoch milliseconds by this device's clock. */
  at: number;
}

const prefix = 'draft:';

export const readDraft = (action: string): Draft => {
  try {
    const text = sessionStorage.getItem(prefix + action);
    if (text !== null) return JSON.parse(text) as Draft;
  } catch {
    // Storage is blocked.
  }
  return { entries: {} };
};

/** @returns false if the browser blocks storage */
export const writeDraft = (action: string, draft: Draft): boolean => {
  try {
    sessionStorage.setItem(prefix + action, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
};

export const entriesOf = (form: HTMLFormElement): Record<string, string> => {
  const fields = new FormData(form);
  fields.delete(honeypotField);
  return Object.fromEntries(fields) as Record<string, string>;
};

/** @returns a function that tells whether the entries have changed since this call */
export const detectEdits = (form: HTMLFormElement): (() => boolean) => {
  const entries = JSON.stringify(entriesOf(form));
  return () => JSON.stringify(entriesOf(form)) !== entries;
};
