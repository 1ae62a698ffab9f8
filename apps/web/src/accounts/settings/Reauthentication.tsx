import { accountMessages } from '@app/contract/accounts/messages';
import type { SignInMethods } from '@app/contract/accounts/settings';
import { type SessionReply, signInAgain } from '@app/contract/accounts/sign-in';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm } from '../../components/form/use-form.ts';
import { useDialog } from '../../components/use-dialog.ts';
import { callWhenReady } from '../../forms/submit/call-when-ready.ts';
import { SaidHere } from '../sign-in/FlashMessage.tsx';
import { saidOf, useSaid } from '../sign-in/flash-message.ts';
import { PasswordField } from '../sign-in/PasswordField.tsx';
import { GoogleAgain } from './GoogleReauthentication.tsx';
import { type Prove, ProveContext } from './reauthentication.ts';
import '../../components/dialog.css';

interface ProofProps {
  email: string;
  methods: SignInMethods;
  /** It is another session from now on. */
  onProven: () => void;
  children: ReactNode;
}

/** Gives what is in it `Prove`, with the dialog that asks for the password. */
export const Proof = ({ email, methods, onProven, children }: ProofProps) => {
  const answer = useRef<((isProven: boolean) => void) | null>(null);
  const [isAsking, setAsking] = useState(false);

  const { open, close, attributes } = useDialog({ onClose: () => settle(false) });

  const prove: Prove = async (change) => {
    const reply = await change();
    if (reply.ok || reply.problem?.code !== 'sign_in_again') return reply;
    const isProven = await new Promise<boolean>((resolve) => {
      answer.current = resolve;
      flushSync(() => setAsking(true));
      open();
    });
    return isProven ? change() : reply;
  };

  const settle = (isProven: boolean) => {
    answer.current?.(isProven);
    answer.current = null;
    close();
    setAsking(false);
  };
  const proven = () => {
    settle(true);
    onProven();
  };

  return (
    <ProveContext value={prove}>
      {children}
      <dialog {...attributes} className="dialog" aria-labelledby="proof-heading">
        <h2 className="text-title" id="proof-heading">
          {accountMessages.again.title}
        </h2>
        <p className="mt-2 text-soft">{accountMessages.again.description}</p>
        {isAsking && methods.password && <PasswordProof email={email} onProven={proven} />}
        {methods.google && <GoogleAgain />}
        <button className="button button-quiet mt-3 w-full" type="button" onClick={close}>
          Cancel
        </button>
      </dialog>
    </ProveContext>
  );
};

const PasswordProof = ({ email, onProven }: { email: string; onProven: () => void }) => {
  const [said, setSaid] = useSaid();
  const { busy, errors, attributes } = useForm({
    schema: signInAgain,
    clear: () => setSaid(null),
    read: (fields) => ({ password: fields.get('password') }),
    send: async (proof) => {
      const reply = await callWhenReady<SessionReply>('POST', '/api/auth/sign-in-again', proof);
      if (reply.ok) {
        onProven();
        return [];
      }
      if (reply.problem?.issues) return reply.problem.issues;
      if (reply.problem?.code === 'invalid_credentials') {
        return [{ path: 'password', message: accountMessages.again.wrong }];
      }
      setSaid(saidOf(reply, { title: accountMessages.signIn.failed.title, isTyped: true }));
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
      <SaidHere said={said} />
    </>
  );
};
