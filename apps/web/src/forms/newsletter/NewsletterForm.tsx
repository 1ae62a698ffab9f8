import {
  newsletterMessages,
  newsletterSubscription,
  nextConfirmation,
} from '@app/contract/forms/newsletter';
import { limits } from '@app/contract/limits';
import { newsletter } from '@app/site/forms/newsletter';
import { type InputEvent, useEffect } from 'react';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { DeliveryToast } from '../submit/DeliveryToast.tsx';
import { type Draft, detectEdits, entriesOf, readDraft, writeDraft } from '../submit/draft.ts';
import { useDelivery } from '../submit/use-delivery.ts';

const { confirm, sentAgain, sendAgainIn, sendAgain } = newsletterMessages;
const subscribed: NoticeText = { tone: 'success', ...newsletterMessages.subscribed };
const alreadySubscribed: NoticeText = { tone: 'warning', ...newsletterMessages.alreadySubscribed };
const invalid: NoticeText = { tone: 'danger', ...newsletterMessages.invalid };
const failed: NoticeText = { tone: 'danger', ...newsletterMessages.failed };

/**
 * Keyed by the fragment to which the API redirects without JavaScript. Fragments have a prefix,
 * because a page can have other forms.
 */
const targets = {
  'newsletter-subscribed': { ...subscribed, aside: `${confirm} ${sendAgain}` },
  'newsletter-already-subscribed': alreadySubscribed,
  'newsletter-invalid': invalid,
  'newsletter-failed': failed,
};

const action = '/api/newsletter';

/** Records the requested email in the draft. @returns a text about that email */
const recordConfirmationRequest = (email: string, entries: Draft['entries']): string => {
  const { confirmationRequests: last } = readDraft(action);
  const next = nextConfirmation(last, email, Date.now());
  const isSent = 'sent' in next;
  writeDraft(action, { entries, confirmationRequests: isSent ? next.requests : last });
  if (!isSent) return sendAgainIn(next.waitSeconds);
  return next.sent === 'first' ? confirm : sentAgain;
};

/** In the footer of every page. The notice is also the error text of its only field. */
export const NewsletterForm = () => {
  const { submitted, notice, errors, stop, attributes } = useDelivery({
    action,
    failed,
    schema: newsletterSubscription,
    send: async (subscription, form, post) => {
      const isEdited = detectEdits(form);
      const { reply, outcome } = await post(subscription);
      if (!reply) return outcome;
      if (reply.ok) {
        if (!isEdited()) form.reset();
        const aside = recordConfirmationRequest(subscription.email, entriesOf(form));
        return { result: { ...subscribed, aside } };
      }
      const { code, issues } = reply.problem ?? {};
      if (issues) return { issues };
      return { result: code === 'already_subscribed' ? alreadySubscribed : failed };
    },
  });

  // Restored only on hydration, because an earlier script would add weight to every page.
  const { ref } = attributes;
  useEffect(() => {
    const field = ref.current?.elements.namedItem('email');
    if (field instanceof HTMLInputElement) field.value ||= readDraft(action).entries['email'] ?? '';
  }, [ref]);

  const onInputCapture = (event: InputEvent<HTMLFormElement>) => {
    stop();
    writeDraft(action, { ...readDraft(action), entries: entriesOf(event.currentTarget) });
  };

  const isInvalid = errors['email'] !== undefined;
  return (
    <form {...attributes} onInputCapture={onInputCapture} action={action} method="post">
      <label className="font-semibold" htmlFor="newsletter-email">
        {newsletter.heading}
      </label>
      <p className="mt-2 text-muted-foreground" id="newsletter-promise">
        {newsletter.promise}
      </p>
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)_auto] gap-2">
        <input
          className="input"
          id="newsletter-email"
          name="email"
          type="email"
          dir="auto"
          placeholder={newsletter.placeholder}
          required
          maxLength={limits.email}
          autoComplete="email"
          aria-invalid={isInvalid || undefined}
          aria-describedby={isInvalid ? 'newsletter-text' : 'newsletter-promise'}
        />
        <SubmitButton
          className="button"
          busyLabel={newsletter.submitting}
          isWaiting={notice?.retry !== undefined}
        >
          {newsletter.submit}
        </SubmitButton>
      </div>
      <FormResult submitted={submitted} targets={targets}>
        <DeliveryToast notice={isInvalid ? invalid : notice} stop={stop} id="newsletter-text" />
      </FormResult>
    </form>
  );
};
