import { messages } from '@app/contract/messages';
import { useEffect, useState } from 'react';
import type { NoticeText } from '../../components/form/Notice.tsx';
import type { Failure } from '../../http/call-api.ts';
import { signedOutNotice } from './signed-out.ts';

/** The result of a form (spec §8): a toast, and for some results a second text on the page. */
export interface Flash {
  toast: NoticeText;
  /** Stays when the toast disappears; without it the toast itself moves into the page. */
  notice?: NoticeText;
  /** In seconds. */
  expiresAfter?: number;
}

interface FailureTexts {
  title: string;
  /** Replaces the problem's detail for internal errors. */
  unexpected?: string;
  /** Title of the notice for internal errors. */
  notice?: string;
  /** Whether the form holds typed text. */
  isTyped?: boolean;
}

/** A text about how long to wait expires after that time. */
export const failureFlash = (
  { problem, retryAfter }: Failure,
  { title, unexpected, notice, isTyped = false }: FailureTexts,
): Flash => {
  const { unreachable, unreachableTyped, tooSlow } = messages.forms;
  if (!problem) {
    return {
      toast: { tone: 'danger', title, description: isTyped ? unreachableTyped : unreachable },
    };
  }
  if (problem.code === 'not_signed_in') return { toast: signedOutNotice() };
  if (problem.code === 'too_many_requests') {
    return {
      toast: { tone: 'warning', title, description: problem.detail },
      ...(retryAfter !== null && { expiresAfter: retryAfter }),
    };
  }
  if (problem.status === 408) return { toast: { tone: 'warning', title, description: tooSlow } };
  if (problem.status === 503) {
    const { description: textKept } = messages.forms.notSent;
    const description = isTyped ? `${problem.detail} ${textKept}` : problem.detail;
    return { toast: { tone: 'warning', title, description } };
  }
  const isInternal = problem.code === 'internal';
  return {
    toast: {
      tone: 'danger',
      title,
      description: (isInternal && unexpected) || problem.detail,
    },
    ...(isInternal && notice && { notice: { tone: 'danger', title: notice } }),
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
