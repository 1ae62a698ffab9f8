import { accountMessages } from '@app/contract/accounts/messages';
import { resendConfirmation } from '@app/contract/accounts/sign-in';
import { signInForms } from '@app/site/accounts/sign-in';
import { labels } from '@app/site/forms/labels';
import { EmailField } from '../../components/form/EmailField.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { callAccount } from './call-account.ts';
import { type Flash, flashAfterFailure } from './flash-message.ts';

interface ResendFormProps {
  id: string;
  /** Known, and not shown again. */
  email?: string;
  entered?: string;
}

const { sent, sentNotice, failed } = accountMessages.confirmation;
const done: Flash = {
  toast: { tone: 'success', ...sent },
  notice: { tone: 'success', title: sentNotice },
};

export const ResendForm = ({ id, email, entered = '' }: ResendFormProps) => {
  const { result, errors, attributes } = useForm({
    schema: resendConfirmation,
    send: async (request) => {
      const reply = await callAccount('resend-confirmation', request);
      return reply.ok
        ? { result: done }
        : flashAfterFailure(reply, { title: failed, notice: failed, isTyped: !email });
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
          {errors['email'] && <p className="font-medium">{errors['email']}</p>}
        </>
      ) : (
        <EmailField id={`${id}-email`} errors={errors} email={entered} />
      )}
      <SubmitButton
        className="button button-outline button-sm justify-self-start"
        busyLabel={labels.sending}
      >
        {signInForms.resend}
      </SubmitButton>
      <div className="empty:-mt-3" aria-live="polite">
        {result && <Toast isBrief {...result.toast} />}
        {result && <p>{result.notice?.title ?? result.toast.description}</p>}
      </div>
    </form>
  );
};
