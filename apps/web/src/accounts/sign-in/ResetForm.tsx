import { accountMessages } from '@app/contract/accounts/messages';
import { passwordReset, type SessionReply } from '@app/contract/accounts/sign-in';
import { messages } from '@app/contract/messages';
import { signInForms } from '@app/site/accounts/sign-in';
import { labels } from '@app/site/forms/labels';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { TargetNotices } from '../../components/form/TargetNotices.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { finishSignIn } from './after-sign-in.ts';
import { callAccount } from './call-account.ts';
import { FlashMessage } from './FlashMessage.tsx';
import { type Flash, flashAfterFailure } from './flash-message.ts';
import { PasswordField } from './PasswordField.tsx';

const title = accountMessages.password.resetFailed;

const targets: Readonly<Record<string, NoticeText>> = {
  'several-sign-ups': { tone: 'warning', ...accountMessages.password.severalSignUps },
  'password-required': { tone: 'danger', title, description: messages.field.passwordRequired },
  invalid: { tone: 'danger', title, description: messages.field.passwordTooShort },
  common: { tone: 'danger', title, description: accountMessages.password.common },
  'too-many': { tone: 'warning', ...accountMessages.limits.notice },
  failed: { tone: 'danger', title, description: accountMessages.signIn.failed.description },
};

/** The password is not typed twice, because it can be shown. */
export const ResetForm = ({ token }: { token: string }) => {
  const { submitted, result, errors, attributes } = useForm<typeof passwordReset, Flash>({
    schema: passwordReset,
    send: async (request) => {
      const reply = await callAccount<SessionReply>('reset-password', request);
      if (reply.ok) return finishSignIn(reply.value, accountMessages.password.changed);
      if (reply.problem?.code === 'dead_link') location.replace('/auth/forgot#dead-link');
      return flashAfterFailure(reply, { title, isTyped: true });
    },
  });

  return (
    <>
      <div className="*:scroll-mt-40 has-target:mb-6">
        <TargetNotices submitted={submitted} targets={targets} />
      </div>
      <form {...attributes} action="/api/auth/reset-password" method="post" className="grid gap-5">
        <input type="hidden" name="token" value={token} />
        <PasswordField id="reset-password" label={signInForms.newPassword} errors={errors} isNew />
        <SubmitButton className="button" busyLabel={labels.saving}>
          {signInForms.resetSubmit}
        </SubmitButton>
      </form>
      <FlashMessage flash={result} />
    </>
  );
};
