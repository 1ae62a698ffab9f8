import type { AskedToConfirm } from '@app/contract/forms/newsletter';
import { honeypotField } from '@app/contract/forms/submit';

/**
 * What somebody typed and has not sent yet. It lives in sessionStorage: it outlives a reload and
 * a crash of the tab, and is gone with the tab, for computers are shared.
 */
export interface Draft {
  /** What is in the fields, by their names. */
  entries: Record<string, string>;
  attempt?: Attempt | undefined;
  stamp?: Stamp | undefined;
  /** Of the newsletter: when the email was sent that asks to confirm the address. */
  askedToConfirm?: AskedToConfirm | undefined;
}

/** A content that was sent, or was about to be: sent again, it goes under the same key. */
export interface Attempt {
  key: string;
  /** What was sent, as JSON, without the stamp. */
  content: string;
  /** Stays with it: the API compares all that comes under one key. */
  stamp: string | undefined;
  /** From the press of the button to an answer: a page that comes back goes on by itself. */
  isPending: boolean;
}

/** When the form was opened, as the API says. */
export interface Stamp {
  text: string;
  /** When it was given, in milliseconds since the epoch by this computer's clock. */
  at: number;
}

/** What the names of drafts begin with; the form's action follows. */
export const draftPrefix = 'draft:';

/** @param action where the form is sent to: /api/contact */
export const readDraft = (action: string): Draft => {
  try {
    const text = sessionStorage.getItem(draftPrefix + action);
    if (text !== null) return JSON.parse(text) as Draft;
  } catch {
    // A browser that keeps nothing for this site: the draft is in the fields alone.
  }
  return { entries: {} };
};

export const writeDraft = (action: string, draft: Draft): void => {
  try {
    sessionStorage.setItem(draftPrefix + action, JSON.stringify(draft));
  } catch {
    // As above.
  }
};

/** What is in the fields, without what people do not see. */
export const entriesOf = (form: HTMLFormElement): Record<string, string> => {
  const fields = new FormData(form);
  fields.delete(honeypotField);
  return Object.fromEntries(fields) as Record<string, string>;
};
