import {
  type FormStamp,
  honeypotField,
  idempotencyKeyHeader,
  stampField,
} from '@app/contract/forms/submit';
import { messages } from '@app/contract/messages';
import { type InputEvent, useEffect, useRef } from 'react';
import type * as v from 'valibot';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { callApi } from '../../http/call-api.ts';
import { type Attempt, type Draft, entriesOf, readDraft, writeDraft } from './draft.ts';
import { newKey, waitForMinimumAge } from './form-token.ts';
import type { SavedEntries } from './saved-entries.ts';
import { type Delivery, useDelivery } from './use-delivery.ts';

interface SubmissionOptions<Schema extends v.GenericSchema> {
  /** Where it is sent: /api/contact */
  action: string;
  schema: Schema;
  texts: Readonly<{
    sent: NoticeText;
    /** The API could not store it. */
    notStored: NoticeText;
    /** No answer of the API arrives. */
    failed: NoticeText;
  }>;
  saved: SavedEntries | undefined;
  onSent: () => void;
}

/**
 * A form that is not lost, and is stored once whatever breaks.
 *
 * What is typed is kept as a draft (draft.ts). What is sent has a key, which stays with it until
 * it is stored: a retry, a reload and the way back send the same under the same key, and the API
 * stores it once. A content that was changed since then is another one.
 */
export const useSubmission = <Schema extends v.GenericSchema>({
  action,
  schema,
  texts,
  saved,
  onSent,
}: SubmissionOptions<Schema>) => {
  const draft = useRef<Draft>({ entries: {} });
  const { notice, setNotice, deliver, stop } = useDelivery(action, texts.failed);

  const updateDraft = (change: Partial<Draft>) => {
    draft.current = { ...draft.current, ...change };
    writeDraft(action, draft.current);
  };

  /** Sends the content under its key, or under a new one where it has none. */
  const submit = (content: string): Promise<Delivery> => {
    const last = draft.current.attempt;
    const { key, stamp }: Pick<Attempt, 'key' | 'stamp'> =
      last?.content === content ? last : { key: newKey(), stamp: draft.current.stamp?.text };
    updateDraft({ attempt: { key, content, stamp, isPending: true } });
    const body = { ...JSON.parse(content), ...(stamp !== undefined && { [stampField]: stamp }) };
    return deliver(body, { [idempotencyKeyHeader]: key });
  };

  const { attributes, ...form } = useForm({
    schema,
    clear: () => setNotice(null),
    read: (fields) => {
      fields.delete(honeypotField);
      return Object.fromEntries(fields);
    },
    send: async (value, element) => {
      const honeypot = new FormData(element).get(honeypotField);
      const content = JSON.stringify({
        ...(value as object),
        ...(honeypot && { [honeypotField]: honeypot }),
      });
      const isResumed = draft.current.attempt?.isPending === true;
      await waitForMinimumAge(draft.current.stamp);

      let { reply, isRetried } = await submit(content);
      if (reply?.ok === false && reply.problem?.code === 'idempotency_key_reused') {
        // Something else was sent under it, from a copy of this tab.
        updateDraft({ attempt: undefined });
        ({ reply, isRetried } = await submit(content));
      }

      if (reply?.ok) {
        updateDraft({ entries: {}, attempt: undefined });
        element.reset();
        onSent();
        const aside = messages.forms.sentAt(timeOf(new Date()));
        setNotice({ ...texts.sent, ...((isRetried || isResumed) && { aside }) });
        return [];
      }
      const { attempt } = draft.current;
      updateDraft({ attempt: attempt && { ...attempt, isPending: false } });
      if (reply?.problem?.issues) return reply.problem.issues;
      if (reply) setNotice(texts.notStored);
      return [];
    },
    ...(saved && { issues: saved.issues }),
  });

  const { ref } = attributes;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is taken over
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    draft.current = readDraft(action);
    const entries = entriesOf(element);
    if (Object.values(entries).some(Boolean)) updateDraft({ entries });
    // Somebody may have mended a field before the script was there.
    for (const [name, value] of Object.entries(saved?.entries ?? {})) {
      // Form posts have line ends of two characters, fields of one.
      if (entries[name] !== value.replaceAll('\r\n', '\n')) form.forget(name);
    }
    if (!draft.current.stamp) {
      void callApi<FormStamp>('GET', '/api/forms/stamp').then((reply) => {
        if (reply.ok) updateDraft({ stamp: { text: reply.value.stamp, at: Date.now() } });
      });
    }
    if (!saved && draft.current.attempt?.isPending) element.requestSubmit();
  }, []);

  const onInput = (event: InputEvent<HTMLFormElement>) => {
    attributes.onInput(event);
    updateDraft({ entries: entriesOf(event.currentTarget) });
    // What is half typed is not to go out by itself.
    stop();
  };

  return { ...form, notice, setNotice, stop, attributes: { ...attributes, onInput } };
};

const timeOf = (date: Date): string =>
  date.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
