import { messages } from '@app/contract/messages';
import { useRef, useState } from 'react';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { type ApiResult, callApi, type Failure } from '../../http/call-api.ts';
import { pause, waitBeforeRetry } from './retry.ts';

/** What came of a form so far. */
export interface DeliveryNotice extends NoticeText {
  /** Whether it is still to be sent by itself. */
  isWaiting?: boolean;
}

export interface Delivery {
  /** The API's answer, or null when the visitor did not wait for it. */
  reply: ApiResult<unknown> | null;
  /** Whether it was sent more than once. */
  isRetried: boolean;
}

/** How long an answer may take, in milliseconds. */
const timeout = 20_000;

/**
 * Sends a form until the API has answered. While it cannot be reached, or asks for timeout, the
 * form goes out again by itself; the notice says so, and the visitor can stop it.
 * @param action where it is sent: /api/contact
 * @param failed what is said when no answer of the API arrives
 */
export const useDelivery = (action: string, failed: NoticeText) => {
  const stopping = useRef<AbortController>(null);
  const [notice, setNotice] = useState<DeliveryNotice | null>(null);

  const deliver = async (body: object, headers?: Record<string, string>): Promise<Delivery> => {
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    for (let tries = 0; ; tries += 1) {
      const reply = await callApi('POST', action, body, {
        ...(headers && { headers }),
        // Goes through even when the visitor goes on to another page.
        keepalive: true,
        signal: AbortSignal.timeout(timeout),
      });
      const wait = reply.ok ? null : waitBeforeRetry(reply, tries);
      if (reply.ok || wait === null) return { reply, isRetried: tries > 0 };
      if (!signal.aborted) {
        const next = waitingNotice(reply, wait, failed);
        // Said once, not with every try.
        setNotice((last) => (last?.description === next.description ? last : next));
        await pause(wait, signal, reply.problem === null);
      }
      if (signal.aborted) {
        setNotice({ tone: 'amber', ...messages.forms.notSent });
        return { reply: null, isRetried: tries > 0 };
      }
    }
  };

  return { notice, setNotice, deliver, stop: () => stopping.current?.abort() };
};

const waitingNotice = (
  { problem, retryAfter }: Failure,
  wait: number,
  failed: NoticeText,
): DeliveryNotice =>
  problem?.status === 429 && retryAfter !== null
    ? {
        tone: 'amber',
        ...messages.forms.tooMany,
        description: problem.detail,
        aside: messages.forms.sentByItselfIn(Math.ceil(wait / 1_000)),
        isWaiting: true,
      }
    : {
        ...failed,
        tone: 'amber',
        aside:
          retryAfter === null
            ? messages.forms.sentByItself
            : messages.forms.sentByItselfIn(Math.ceil(wait / 1_000)),
        isWaiting: true,
      };
