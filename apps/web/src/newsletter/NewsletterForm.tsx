import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { newsletterSubscription } from '@app/contract/newsletter';
import { newsletter } from '@app/site/newsletter';
import { useState } from 'react';
import { Notice, type NoticeText } from '../forms/Notice.tsx';
import { Outcome } from '../forms/Outcome.tsx';
import { useForm } from '../forms/use-form.ts';
import { callApi } from '../http/call-api.ts';

const subscribed: NoticeText = { tone: 'good', ...messages.newsletter.subscribed };
const alreadySubscribed: NoticeText = { tone: 'amber', ...messages.newsletter.alreadySubscribed };
const invalid: NoticeText = { tone: 'alarm', ...messages.newsletter.invalid };
const failed: NoticeText = { tone: 'alarm', ...messages.newsletter.failed };

/** Where the API leads back to; every page has this form, beside whatever other form it has. */
const targets = {
  'newsletter-subscribed': subscribed,
  'newsletter-already-subscribed': alreadySubscribed,
  'newsletter-invalid': invalid,
  'newsletter-failed': failed,
};

/** In the footer of every page. Its one field needs no text of its own beside it: the notice is that text. */
export const NewsletterForm = () => {
  const [outcome, setOutcome] = useState<NoticeText | null>(null);

  const { tried, busy, errors, attributes } = useForm({
    schema: newsletterSubscription,
    send: async (subscription, form) => {
      const reply = await callApi('POST', '/api/newsletter', subscription);
      if (reply.ok) {
        form.reset();
        setOutcome(subscribed);
        return [];
      }
      if (reply.problem?.issues) return reply.problem.issues;
      setOutcome(reply.problem?.code === 'already_subscribed' ? alreadySubscribed : failed);
      return [];
    },
  });

  const isInvalid = errors['email'] !== undefined;
  const notice = isInvalid ? invalid : outcome;

  return (
    <form
      {...attributes}
      onSubmitCapture={() => setOutcome(null)}
      action="/api/newsletter"
      method="post"
    >
      <label className="weight-600" htmlFor="newsletter-email">
        {newsletter.heading}
      </label>
      <p className="mt-2 text-soft" id="newsletter-promise">
        {newsletter.promise}
      </p>
      <div className="newsletter-row">
        <input
          className="input"
          id="newsletter-email"
          name="email"
          type="email"
          placeholder="you@example.com"
          required
          maxLength={limits.email}
          autoComplete="email"
          aria-invalid={isInvalid || undefined}
          aria-describedby={isInvalid ? 'newsletter-outcome' : 'newsletter-promise'}
        />
        <button className="button" type="submit" disabled={busy}>
          {busy ? 'Subscribing...' : 'Subscribe'}
        </button>
      </div>
      <Outcome tried={tried} targets={targets} id="newsletter-outcome">
        {notice && <Notice {...notice} />}
      </Outcome>
    </form>
  );
};
