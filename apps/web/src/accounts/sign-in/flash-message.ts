import { messages } from '@app/contract/messages';
import type { NoticeText } from '../../components/form/Notice.tsx';
import type { Outcome } from '../../components/form/use-form-action.ts';
import type { Failure } from '../../http/call-api.ts';
import { signedOutNotice } from './signed-out.ts';

/** The result of a form (spec §8): a toast, and for some results a notice on the page. */
export interface Flash {
  toast: NoticeText;
  /** Remains when the toast disappears. Without a notice, the toast itself moves into the page. */
  notice?: NoticeText;
}

interface FailureTexts {
  title: string;
  unexpected?: string;
  notice?: string;
  isTyped?: boolean;
}

/**
 * What a form shows after a failed request: errors of its fields if there are any, or else a flash
 * message. A text that says how long to wait expires after that time.
 */
export const flashAfterFailure = (
  { problem, retryAfter }: Failure,
  { title, unexpected, notice, isTyped = false }: FailureTexts,
): Outcome<Flash> => {
  const { unreachable, unreachableTyped, tooSlow } = messages.forms;
  const toast = (tone: NoticeText['tone'], description: string): Outcome<Flash> => ({
    result: { toast: { tone, title, description } },
  });

  if (!problem) return toast('danger', isTyped ? unreachableTyped : unreachable);
  const { code, status, detail, issues } = problem;
  if (issues?.[0]) return isTyped ? { issues } : toast('danger', issues[0].message);
  if (code === 'not_signed_in') return { result: { toast: signedOutNotice() } };
  if (code === 'too_many_requests') {
    return {
      ...toast('warning', detail),
      ...(retryAfter !== null && { expiresAfter: retryAfter }),
    };
  }
  if (status === 408) return toast('warning', tooSlow);
  if (status === 503) {
    return toast('warning', isTyped ? `${detail} ${messages.forms.notSent.description}` : detail);
  }
  if (code !== 'internal') return toast('danger', detail);
  return {
    result: {
      toast: { tone: 'danger', title, description: unexpected ?? detail },
      ...(notice && { notice: { tone: 'danger', title: notice } }),
    },
  };
};
