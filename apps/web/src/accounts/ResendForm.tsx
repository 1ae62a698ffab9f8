import { resendConfirmation } from '@app/contract/accounts';
import { messages } from '@app/contract/messages';
import { useState } from 'react';
import { EmailField } from '../forms/EmailField.tsx';
import { useForm } from '../forms/use-form.ts';
import { callApi } from '../http/call-api.ts';

interface ResendFormProps {
  /** Keeps the ids apart where a page has several. */
  id: string;
  /** Where to send it; without one the person is asked. */
  email?: string;
}

/** Asks for another confirmation mail. */
export const ResendForm = ({ id, email }: ResendFormProps) => {
  const [outcome, setOutcome] = useState<string | null>(null);

  const { busy, errors, attributes } = useForm({
    schema: resendConfirmation,
    send: async (request) => {
      setOutcome(null);
      const reply = await callApi('POST', '/api/auth/resend-confirmation', request);
      if (!reply.ok && reply.problem?.issues) return reply.problem.issues;
      setOutcome(reply.ok ? messages.confirmation.sentNotice : messages.confirmation.failed);
      return [];
    },
  });

  return (
    <form
      {...attributes}
      action="/api/auth/resend-confirmation"
      method="post"
      className="mt-3 grid gap-3"
    >
      {email ? (
        <>
          <input type="hidden" name="email" value={email} />
          {errors['email'] && <p className="weight-500">{errors['email']}</p>}
        </>
      ) : (
        <EmailField id={`${id}-email`} errors={errors} />
      )}
      <button
        className="button button-quiet button-small justify-self-start"
        type="submit"
        disabled={busy}
      >
        {busy ? 'Sending...' : 'Resend confirmation email'}
      </button>
      <p aria-live="polite">{outcome}</p>
    </form>
  );
};
