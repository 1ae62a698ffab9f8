import { accountMessages } from '@app/contract/accounts/messages';
import { forgottenPassword } from '@app/contract/accounts/sign-in';
import { messages } from '@app/contract/messages';
import { signInForms } from '@app/site/accounts/sign-in';
import { labels } from '@app/site/forms/labels';
import { EmailField } from '../../components/form/EmailField.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { TargetNotices } from '../../components/form/TargetNotices.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { callAccount } from './call-account.ts';
import { FlashMessage } from './FlashMessage.tsx';
import { type Flash, flashAfterFailure } from './flash-message.ts';

const sent: NoticeText = { tone: 'success', ...accountMessages.password.forgotSent };
const failed = { title: accountMessages.password.forgotFailed };

const targets: Readonly<Record<string, NoticeText>> = {
  sent,
  'dead-link': { tone: 'warning', ...accountMessages.password.deadLink },
  'change-canceled': { tone: 'success', ...accountMessages.settings.emailChangeCanceled },
  'cannot-cancel': { tone: 'warning', ...accountMessages.settings.emailCancelDeadLink },
  'email-required': { tone: 'danger', title: messages.field.emailRequired },
  invalid: { tone: 'danger', title: messages.field.emailInvalid },
  'too-many': { tone: 'warning', ...accountMessages.limits.notice },
  failed: { tone: 'danger', ...failed },
};

interface ForgotFormProps {
  /** The email of a form that was rejected without JavaScript. */
  entered?: string;
}

/** The result is the same for known and unknown addresses. */
export const ForgotForm = ({ entered = '' }: ForgotFormProps) => {
  const { submitted, result, errors, attributes } = useForm<typeof forgottenPassword, Flash>({
    schema: forgottenPassword,
    send: async (request) => {
      const reply = await callAccount('forgot-password', request);
      return reply.ok
        ? { result: { toast: sent } }
        : flashAfterFailure(reply, { ...failed, isTyped: true });
    },
  });

  return (
    <>
      <div className="*:scroll-mt-40 has-target:mb-6">
        <TargetNotices submitted={submitted} targets={targets} />
      </div>
      <form {...attributes} action="/api/auth/forgot-password" method="post" className="grid gap-5">
        <EmailField id="forgot-email" errors={errors} email={entered} autoComplete="username" />
        <SubmitButton className="button" busyLabel={labels.sending}>
          {signInForms.forgotSubmit}
        </SubmitButton>
      </form>
      <FlashMessage flash={result} />
    </>
  );
};
