import { honeypotField } from '@app/contract/forms/honeypot';
import type { FormTokenReply } from '@app/contract/forms/replies';
import { formTokenField, idempotencyKeyHeader } from '@app/contract/forms/submit';
import { messages } from '@app/contract/messages';
import { type InputEvent, useEffect, useRef } from 'react';
import type * as v from 'valibot';
import type { NoticeText } from '../../components/form/Notice.tsx';
import type { SavedEntries } from '../../components/form/saved-entries.ts';
import { callApi } from '../../http/call-api.ts';
import { newKey } from '../../http/new-key.ts';
import {
  type Attempt,
  type Draft,
  detectEdits,
  entriesOf,
  readDraft,
  writeDraft,
} from './draft.ts';
import { waitForMinimumAge } from './form-token.ts';
import { useDelivery } from './use-delivery.ts';

interface SubmissionOptions<Schema extends v.GenericSchema> {
  action: string;
  schema: Schema;
  texts: Readonly<{
    sent: NoticeText;
    notStored: NoticeText;
    failed: NoticeText;
  }>;
  saved: SavedEntries | undefined;
  onSent: () => void;
}

/**
 * A form whose text is never lost and is stored exactly once.
 *
 * Typed text is saved as a draft (draft.ts). A retry or a reload sends the same content with the
 * same idempotency key. Changed content is sent with a new key.
 */
export const useSubmission = <Schema extends v.GenericSchema>({
  action,
  schema,
  texts,
  saved,
  onSent,
}: SubmissionOptions<Schema>) => {
  const draft = useRef<Draft>({ entries: {} });

  const updateDraft = (change: Partial<Draft>) => {
    draft.current = { ...draft.current, ...change };
    writeDraft(action, draft.current);
  };

  const endAttempt = () => {
    const { attempt } = draft.current;
    if (attempt?.isPending) updateDraft({ attempt: { ...attempt, isPending: false } });
  };

  const startAttempt = (content: string) => {
    const last = draft.current.attempt;
    const { key, formToken }: Pick<Attempt, 'key' | 'formToken'> =
      last?.content === content
        ? last
        : { key: newKey(), formToken: draft.current.formToken?.text };
    updateDraft({ attempt: { key, content, formToken, isPending: true } });
    const body = {
      ...JSON.parse(content),
      ...(formToken !== undefined && { [formTokenField]: formToken }),
    };
    return [body, { [idempotencyKeyHeader]: key }] as const;
  };

  const { attributes, ...form } = useDelivery<Schema>({
    action,
    failed: texts.failed,
    schema,
    read: (fields) => {
      fields.delete(honeypotField);
      return Object.fromEntries(fields);
    },
    send: async (value, element, post) => {
      const isEdited = detectEdits(element);
      const honeypot = new FormData(element).get(honeypotField);
      const content = JSON.stringify({
        ...(value as object),
        ...(honeypot && { [honeypotField]: honeypot }),
      });
      const isResumed = draft.current.attempt?.isPending === true;
      // Starts before the wait, so that it is sent on return if the visitor leaves.
      const attempt = startAttempt(content);
      await waitForMinimumAge(draft.current.formToken);

      let { reply, outcome } = await post(...attempt);
      if (reply?.ok === false && reply.problem?.code === 'idempotency_key_reused') {
        // A duplicate of this tab has sent other content with the key.
        updateDraft({ attempt: undefined });
        ({ reply, outcome } = await post(...startAttempt(content)));
      }
      if (!reply) return outcome ?? {};

      if (!reply.ok) {
        endAttempt();
        const { issues } = reply.problem ?? {};
        return issues ? { issues } : { result: texts.notStored };
      }
      updateDraft({ attempt: undefined });
      if (isEdited()) return { result: { ...texts.sent, aside: messages.forms.editsNotSent } };
      updateDraft({ entries: {} });
      element.reset();
      onSent();
      const aside = messages.forms.sentAt(timeOf(new Date()));
      return { result: { ...texts.sent, ...(isResumed && { aside }) } };
    },
    ...(saved && { issues: saved.issues }),
  });

  const { ref } = attributes;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on hydration
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    draft.current = readDraft(action);
    const entries = entriesOf(element);
    if (Object.values(entries).some(Boolean)) updateDraft({ entries });
    // A field may have been corrected before hydration.
    for (const [name, value] of Object.entries(saved?.entries ?? {})) {
      // Posted forms have CRLF line breaks, and fields have LF.
      if (entries[name] !== value.replaceAll('\r\n', '\n')) form.forget(name);
    }
    if (!draft.current.formToken) {
      void callApi<FormTokenReply>('GET', '/api/forms/token').then((reply) => {
        if (reply.ok) updateDraft({ formToken: { text: reply.value.token, at: Date.now() } });
      });
    }
    if (!saved && draft.current.attempt?.isPending) element.requestSubmit();
  }, []);

  const stop = () => {
    form.stop();
    endAttempt();
  };
  const onInput = (event: InputEvent<HTMLFormElement>) => {
    attributes.onInput(event);
    updateDraft({ entries: entriesOf(event.currentTarget) });
    // Do not send unfinished text.
    stop();
  };

  return { ...form, stop, attributes: { ...attributes, onInput } };
};

const timeOf = (date: Date): string =>
  date.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
