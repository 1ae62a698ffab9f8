import { accountMessages } from '@app/contract/accounts/messages';
import type { Credentials } from '@app/contract/accounts/sign-in';
import { CredentialsForm } from './CredentialsForm.tsx';
import { callAccount } from './call-account.ts';
import { FlashMessage } from './FlashMessage.tsx';
import { type Flash, failureFlash, useFlash } from './flash-message.ts';

const done: Flash = {
  toast: { tone: 'success', ...accountMessages.signUp.done },
  notice: { tone: 'success', title: accountMessages.signUp.doneNotice },
};
const { title, description: unexpected } = accountMessages.signUp.failed;
const failed = { title, unexpected, notice: accountMessages.signUp.failedNotice, isTyped: true };

export const SignUp = ({ email }: { email: string }) => {
  const [flash, setFlash] = useFlash();

  const send = async (credentials: Credentials, form: HTMLFormElement) => {
    const reply = await callAccount('sign-up', credentials);
    if (!reply.ok && reply.problem?.issues) return reply.problem.issues;
    if (reply.ok) {
      const password = form.querySelector<HTMLInputElement>('[name="password"]');
      if (password) password.value = '';
    }
    setFlash(reply.ok ? done : failureFlash(reply, failed));
    return [];
  };

  return (
    <>
      <CredentialsForm
        id="sign-up"
        submit="Sign Up"
        busySubmit="Signing up..."
        email={email}
        clear={() => setFlash(null)}
        send={send}
      />
      <FlashMessage flash={flash} />
    </>
  );
};
