import { accountMessages } from '@app/contract/accounts/messages';
import { credentials } from '@app/contract/accounts/sign-in';
import { useForm } from '../../components/form/use-form.ts';
import { CredentialsForm } from './CredentialsForm.tsx';
import { callAccount } from './call-account.ts';
import { FlashMessage } from './FlashMessage.tsx';
import { type Flash, flashAfterFailure } from './flash-message.ts';

const done: Flash = {
  toast: { tone: 'success', ...accountMessages.signUp.done },
  notice: { tone: 'success', title: accountMessages.signUp.doneNotice },
};
const { title, description: unexpected } = accountMessages.signUp.failed;
const failed = { title, unexpected, notice: accountMessages.signUp.failedNotice, isTyped: true };

export const SignUp = ({ email }: { email: string }) => {
  const { result, errors, attributes } = useForm({
    schema: credentials,
    unexpected: {
      toast: { tone: 'danger', title, description: unexpected },
      notice: { tone: 'danger', title: failed.notice },
    },
    send: async (entered, form) => {
      const reply = await callAccount('sign-up', entered);
      if (!reply.ok) return flashAfterFailure(reply, failed);
      const password = form.querySelector<HTMLInputElement>('[name="password"]');
      if (password) password.value = '';
      return { result: done };
    },
  });

  return (
    <>
      <CredentialsForm id="sign-up" email={email} errors={errors} attributes={attributes} />
      <FlashMessage flash={result} />
    </>
  );
};
