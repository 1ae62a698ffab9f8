import { messages } from '@app/contract/messages';
import { useEffect, useState } from 'react';
import type { NoticeText } from '../../components/form/Notice.tsx';
import type { Failure } from '../../http/call-api.ts';
import { signedOutNotice } from './signed-out.ts';

/** What came of a form, as spec §8 has it: a toast, and for some outcomes another text on the page. */
export interface Flash {
  toast: NoticeText;
  /** Stays on the page when the toast goes; without it the toast settles there. */
  notice?: NoticeText;
  /** How long it holds, in seconds. */
  expiresAfter?: number;
}

interface FailureTexts {
  title: string;
  /** What the API's own failure is called; without it its detail serves. */
  unexpected?: string;
  /** And what the page says then. */
  notice?: string;
  /** Whether the form holds something typed, which is still there. */
  isTyped?: boolean;
}

/** A failure in words. What says how long to wait is gone when that time is over. */
export const failureFlash = (
  { problem, retryAfter }: Failure,
  { title, unexpected, notice, isTyped = false }: FailureTexts,
): Flash => {
  const { unreachable, unreachableTyped, tooSlow } = messages.forms;
  if (!problem) {
    return {
      toast: { tone: 'alarm', title, description: isTyped ? unreachableTyped : unreachable },
    };
  }
  if (problem.code === 'not_signed_in') return { toast: signedOutNotice() };
  if (problem.code === 'too_many_requests') {
    return {
      toast: { tone: 'amber', title, description: problem.detail },
      ...(retryAfter !== null && { expiresAfter: retryAfter }),
    };
  }
  if (problem.status === 408) return { toast: { tone: 'amber', title, description: tooSlow } };
  if (problem.status === 503) {
    const { description: textKept } = messages.forms.notSent;
    const description = isTyped ? `${problem.detail} ${textKept}` : problem.detail;
    return { toast: { tone: 'amber', title, description } };
  }
  const isOurs = problem.code === 'internal';
  return {
    toast: {
      tone: 'alarm',
      title,
      description: (isOurs && unexpected) || problem.detail,
    },
    ...(isOurs && notice && { notice: { tone: 'alarm', title: notice } }),
  };
};

export const useFlash = () => {
  const [flash, setFlash] = useState<Flash | null>(null);

  useEffect(() => {
    if (flash?.expiresAfter === undefined) return;
    const timer = setTimeout(() => setFlash(null), flash.expiresAfter * 1_000);
    return () => clearTimeout(timer);
  }, [flash]);

  return [flash, setFlash] as const;
};
