import { accountMessages } from '@app/contract/accounts/messages';
import type { SignInMethods } from '@app/contract/accounts/settings';
import { type SessionReply, signInAgain } from '@app/contract/accounts/sign-in';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm } from '../../components/form/use-form.ts';
import { useDialog } from '../../components/use-dialog.ts';
import { callWhenReady } from '../../forms/submit/call-when-ready.ts';
import { FlashMessage } from '../sign-in/FlashMessage.tsx';
import { failureFlash, useFlash } from '../sign-in/flash-message.ts';
import { PasswordField } from '../sign-in/PasswordField.tsx';
import { GoogleReauthentication } from './GoogleReauthentication.tsx';
import { type Reauthenticate, ReauthenticationContext } from './reauthentication.ts';
import '../../components/dialog.css';

interface ReauthenticationProps {
  email: string;
  methods: SignInMethods;
  /** The session is a new one afterwards. */
  onReauthenticated: () => void;
  children: ReactNode;
}

/** Provides `Reauthenticate` to its children, and the dialog that asks for the password. */
export const Reauthentication = ({
  email,
  methods,
  onReauthenticated,
  children,
}: ReauthenticationProps) => {
  const answer = useRef<((isReauthenticated: boolean) => void) | null>(null);
  const [isAsking, setAsking] = useState(false);

  const { open, close, attributes } = useDialog({ onClose: () => settle(false) });

  const reauthenticate: Reauthenticate = async (change) => {
    const reply = await change();
    if (reply.ok || reply.problem?.code !== 'sign_in_again') return reply;
    const isReauthenticated = await new Promise<boolean>((resolve) => {
      answer.current = resolve;
      flushSync(() => setAsking(true));
      open();
    });
    return isReauthenticated ? change() : reply;
  };

  const settle = (isReauthenticated: boolean) => {
    answer.current?.(isReauthenticated);
    answer.current = null;
    close();
    setAsking(false);
  };
  const finish = () => {
    settle(true);
    onReauthenticated();
  };

  return (
    <ReauthenticationContext value={reauthenticate}>
      {children}
      <dialog {...attributes} className="dialog" aria-labelledby="proof-heading">
        <h2 className="text-title" id="proof-heading">
          {accountMessages.reauthentication.title}
        </h2>
        <p className="mt-2 text-muted-foreground">{accountMessages.reauthentication.description}</p>
        {isAsking && methods.password && (
          <PasswordReauthentication email={email} onReauthenticated={finish} />
        )}
        {methods.google && <GoogleReauthentication />}
        <button className="button button-outline mt-3 w-full" type="button" onClick={close}>
          Cancel
        </button>
      </dialog>
    </ReauthenticationContext>
  );
};

const PasswordReauthentication = ({
  email,
  onReauthenticated,
}: {
  email: string;
  onReauthenticated: () => void;
}) => {
  const [flash, setFlash] = useFlash();
  const { busy, errors, attributes } = useForm({
    schema: signInAgain,
    clear: () => setFlash(null),
    read: (fields) => ({ password: fields.get('password') }),
    send: async (proof) => {
      const reply = await callWhenReady<SessionReply>('POST', '/api/auth/sign-in-again', proof);
      if (reply.ok) {
        onReauthenticated();
        return [];
      }
      if (reply.problem?.issues) return reply.problem.issues;
      if (reply.problem?.code === 'invalid_credentials') {
        return [{ path: 'password', message: accountMessages.reauthentication.wrong }];
      }
      setFlash(failureFlash(reply, { title: accountMessages.signIn.failed.title, isTyped: true }));
      return [];
    },
  });

  return (
    <>
      <form {...attributes} className="mt-6 grid gap-5">
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField id="proof-password" errors={errors} />
        <button className="button" type="submit" disabled={busy}>
          {busy ? 'Checking...' : 'Continue'}
        </button>
      </form>
      <FlashMessage flash={flash} />
    </>
  );
};
