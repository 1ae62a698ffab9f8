import { accountMessages } from '@app/contract/accounts/messages';
import type { Credentials, SessionReply } from '@app/contract/accounts/sign-in';
import { useState } from 'react';
import { finishSignIn } from './after-sign-in.ts';
import { CredentialsForm } from './CredentialsForm.tsx';
import { callAccount } from './call-account.ts';
import { FlashMessage } from './FlashMessage.tsx';
import { type Flash, failureFlash, useFlash } from './flash-message.ts';
import { ResendForm } from './ResendForm.tsx';

const notConfirmed: Flash = {
  toast: { tone: 'warning', ...accountMessages.signIn.notConfirmed },
  notice: { tone: 'warning', title: accountMessages.signIn.notConfirmedNotice },
};
const { title, description: unexpected } = accountMessages.signIn.failed;
const failed = { title, unexpected, notice: accountMessages.signIn.failedNotice, isTyped: true };

export const SignIn = ({ email }: { email: string }) => {
  const [flash, setFlash] = useFlash();
  const [unconfirmed, setUnconfirmed] = useState('');

  const send = async (credentials: Credentials) => {
    const reply = await callAccount<SessionReply>('sign-in', credentials);
    if (reply.ok) {
      const { linked } = reply.value;
      return finishSignIn(
        reply.value,
        linked ? accountMessages.google.linked : accountMessages.signIn.done,
      );
    }
    if (reply.problem?.issues) return reply.problem.issues;
    if (reply.problem?.code === 'email_not_confirmed') {
      setUnconfirmed(credentials.email);
      setFlash(notConfirmed);
    } else {
      setFlash(failureFlash(reply, failed));
    }
    return [];
  };

  return (
    <>
      <CredentialsForm
        id="sign-in"
        submit="Sign In"
        busySubmit="Signing in..."
        email={email}
        clear={() => setFlash(null)}
        send={send}
      />
      <FlashMessage flash={flash}>
        {flash === notConfirmed && <ResendForm id="unconfirmed-resend" email={unconfirmed} />}
      </FlashMessage>
    </>
  );
};
