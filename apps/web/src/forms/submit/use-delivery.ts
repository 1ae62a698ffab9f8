import { messages } from '@app/contract/messages';
import { useRef, useState } from 'react';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { type ApiResult, callApi, type Failure } from '../../http/call-api.ts';
import { pause, waitBeforeRetry } from './retry.ts';

export interface DeliveryNotice extends NoticeText {
  /** Whether a retry is scheduled. */
  isWaiting?: boolean;
}

export interface Delivery {
  /** Null when the visitor canceled the retries. */
  reply: ApiResult<unknown> | null;
  isRetried: boolean;
}

/** Per request, in milliseconds. */
const timeout = 20_000;

/**
 * Sends a form and retries while the API is unreachable or asks to wait. The notice says so, and the
 * visitor can cancel.
 * @param action of the form: /api/contact
 * @param failed shown while the API is unreachable
 */
export const useDelivery = (action: string, failed: NoticeText) => {
  const controller = useRef<AbortController>(null);
  const [notice, setNotice] = useState<DeliveryNotice | null>(null);

  const deliver = async (body: object, headers?: Record<string, string>): Promise<Delivery> => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    for (let tries = 0; ; tries += 1) {
      const reply = await callApi('POST', action, body, {
        ...(headers && { headers }),
        // The request survives a navigation.
        keepalive: true,
        signal: AbortSignal.timeout(timeout),
      });
      const wait = reply.ok ? null : waitBeforeRetry(reply, tries);
      if (reply.ok || wait === null) return { reply, isRetried: tries > 0 };
      if (!signal.aborted) {
        const next = waitingNotice(reply, wait, failed);
        // Announced once, not on every retry.
        setNotice((last) => (last?.description === next.description ? last : next));
        await pause(wait, signal, reply.problem === null);
      }
      if (signal.aborted) {
        setNotice({ tone: 'warning', ...messages.forms.notSent });
        return { reply: null, isRetried: tries > 0 };
      }
    }
  };

  return { notice, setNotice, deliver, stop: () => controller.current?.abort() };
};

const waitingNotice = (
  { problem, retryAfter }: Failure,
  wait: number,
  failed: NoticeText,
): DeliveryNotice =>
  problem?.status === 429 && retryAfter !== null
    ? {
        tone: 'warning',
        ...messages.forms.tooMany,
        description: problem.detail,
        aside: messages.forms.sentAutomaticallyIn(Math.ceil(wait / 1_000)),
        isWaiting: true,
      }
    : {
        ...failed,
        tone: 'warning',
        aside:
          retryAfter === null
            ? messages.forms.sentAutomatically
            : messages.forms.sentAutomaticallyIn(Math.ceil(wait / 1_000)),
        isWaiting: true,
      };
