import { messages } from '@app/contract/messages';
import { useEffect, useRef } from 'react';
import type * as v from 'valibot';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { type FormOptions, useForm } from '../../components/form/use-form.ts';
import type { Outcome } from '../../components/form/use-form-action.ts';
import { type ApiResult, callApi, type Failure } from '../../http/call-api.ts';
import { pause, waitBeforeRetry } from '../../http/retry.ts';

export interface DeliveryNotice extends NoticeText {
  retry?: Retry;
}

interface Retry {
  /** In milliseconds. */
  wait: number;
  /** Whether to retry earlier when the network is back. */
  orOnline: boolean;
}

/** The API's reply, or what the form shows until there is one. */
type Delivery =
  | { reply: ApiResult<unknown>; outcome?: undefined }
  | { reply?: undefined; outcome: Outcome<DeliveryNotice> };

interface DeliveryOptions<Schema extends v.GenericSchema>
  extends Omit<FormOptions<Schema, DeliveryNotice>, 'send'> {
  action: string;
  failed: NoticeText;
  send: (
    value: v.InferOutput<Schema>,
    form: HTMLFormElement,
    post: (body: object, headers?: Record<string, string>) => Promise<Delivery>,
  ) => Promise<Outcome<DeliveryNotice>>;
}

const timeout = 20_000;

const notSent: DeliveryNotice = { tone: 'warning', ...messages.forms.notSent };

/**
 * A form that is submitted again while the API is unreachable or asks to wait. A notice tells the
 * visitor, who can cancel. Each try is a separate action, because React does not finish the actions
 * of other forms during a longer one.
 */
export const useDelivery = <Schema extends v.GenericSchema>({
  action,
  failed,
  send,
  ...options
}: DeliveryOptions<Schema>) => {
  const tries = useRef(0);
  const isCanceled = useRef(false);

  const post = async (body: object, headers?: Record<string, string>): Promise<Delivery> => {
    if (isCanceled.current) return { outcome: { result: notSent } };
    const reply = await callApi('POST', action, body, {
      ...(headers && { headers }),
      // Lets the request outlive the page.
      keepalive: true,
      signal: AbortSignal.timeout(timeout),
    });
    const wait = reply.ok ? null : waitBeforeRetry(reply, tries.current);
    if (reply.ok || wait === null) {
      tries.current = 0;
      return { reply };
    }
    if (isCanceled.current) return { outcome: { result: notSent } };
    tries.current += 1;
    return { outcome: { result: waitingNotice(reply, wait, failed), isLasting: true } };
  };

  const form = useForm<Schema, DeliveryNotice>({
    ...options,
    unexpected: failed,
    send: (value, element) => {
      isCanceled.current = false;
      return send(value, element, post);
    },
  });
  const { result, show, attributes } = form;
  const { ref } = attributes;
  const retry = result?.retry;

  useEffect(() => {
    if (!retry) return;
    const controller = new AbortController();
    const { signal } = controller;
    void pause(retry.wait, signal, retry.orOnline).then(() => {
      if (!signal.aborted) ref.current?.requestSubmit();
    });
    return () => controller.abort();
  }, [retry, ref]);

  const stop = () => {
    isCanceled.current = true;
    tries.current = 0;
    if (retry) show(notSent);
  };

  return { ...form, notice: result, stop };
};

const waitingNotice = (
  { problem, retryAfter }: Failure,
  wait: number,
  failed: NoticeText,
): DeliveryNotice => {
  const { sentAutomatically, sentAutomaticallyIn, tooMany, unreachableTyped } = messages.forms;
  const typed = problem === null ? unreachableTyped : messages.forms.notSent.description;
  const retry = { wait, orOnline: problem === null };
  const retryLine =
    retryAfter === null ? sentAutomatically : sentAutomaticallyIn(Math.ceil(wait / 1_000));
  return problem?.status === 429 && retryAfter !== null
    ? { tone: 'warning', ...tooMany, description: problem.detail, aside: retryLine, retry }
    : { ...failed, tone: 'warning', aside: `${typed} ${retryLine}`, retry };
};
