import { accountMessages } from '@app/contract/accounts/messages';
import { credentials, type SessionReply } from '@app/contract/accounts/sign-in';
import { useForm } from '../../components/form/use-form.ts';
import { finishSignIn } from './after-sign-in.ts';
import { CredentialsForm } from './CredentialsForm.tsx';
import { callAccount } from './call-account.ts';
import { FlashMessage } from './FlashMessage.tsx';
import { type Flash, flashAfterFailure } from './flash-message.ts';
import { ResendForm } from './ResendForm.tsx';

interface SignInResult extends Flash {
  unconfirmed?: string;
}

const notConfirmed: Flash = {
  toast: { tone: 'warning', ...accountMessages.signIn.notConfirmed },
  notice: { tone: 'warning', title: accountMessages.signIn.notConfirmedNotice },
};
const { title, description: unexpected } = accountMessages.signIn.failed;
const failed = { title, unexpected, notice: accountMessages.signIn.failedNotice, isTyped: true };

export const SignIn = ({ email }: { email: string }) => {
  const { result, errors, attributes } = useForm<typeof credentials, SignInResult>({
    schema: credentials,
    unexpected: {
      toast: { tone: 'danger', title, description: unexpected },
      notice: { tone: 'danger', title: failed.notice },
    },
    send: async (entered) => {
      const reply = await callAccount<SessionReply>('sign-in', entered);
      if (reply.ok) {
        const { linked } = reply.value;
        return finishSignIn(
          reply.value,
          linked ? accountMessages.google.linked : accountMessages.signIn.done,
        );
      }
      return reply.problem?.code === 'email_not_confirmed'
        ? { result: { ...notConfirmed, unconfirmed: entered.email } }
        : flashAfterFailure(reply, failed);
    },
  });

  return (
    <>
      <CredentialsForm id="sign-in" email={email} errors={errors} attributes={attributes} />
      <FlashMessage flash={result}>
        {result?.unconfirmed && <ResendForm id="unconfirmed-resend" email={result.unconfirmed} />}
      </FlashMessage>
    </>
  );
};
