import { accountMessages } from '@app/contract/accounts/messages';
import type { SignInMethods } from '@app/contract/accounts/settings';
import { type SessionReply, signInAgain } from '@app/contract/accounts/sign-in';
import { settings } from '@app/site/accounts/settings';
import { labels } from '@app/site/forms/labels';
import { type ReactNode, useEffect, useState } from 'react';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { useDialog } from '../../components/use-dialog.ts';
import type { Failure } from '../../http/call-api.ts';
import { callWhenReady } from '../../http/call-when-ready.ts';
import { FlashMessage } from '../sign-in/FlashMessage.tsx';
import { type Flash, flashAfterFailure } from '../sign-in/flash-message.ts';
import { PasswordField } from '../sign-in/PasswordField.tsx';
import { GoogleReauthentication } from './GoogleReauthentication.tsx';
import { ReauthenticationContext } from './reauthentication.ts';

interface ReauthenticationProps {
  email: string;
  methods: SignInMethods;
  onReauthenticated: () => void;
  children: ReactNode;
}

/** Shows a dialog to sign in again when one of the forms in its children requires it. */
export const Reauthentication = ({
  email,
  methods,
  onReauthenticated,
  children,
}: ReauthenticationProps) => {
  /** The form that requires a recent sign-in. */
  const [asking, setAsking] = useState<HTMLFormElement | null>(null);
  const isAsking = asking !== null;
  const { open, close, closer, attributes } = useDialog({ onClose: () => setAsking(null) });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` is a new function on each render
  useEffect(() => {
    if (isAsking) open();
  }, [isAsking]);

  const askIfRequired = ({ problem }: Failure, form: HTMLFormElement) => {
    if (problem?.code === 'sign_in_again') setAsking(form);
  };
  const finish = () => {
    close();
    asking?.requestSubmit();
    onReauthenticated();
  };

  return (
    <ReauthenticationContext value={{ isAsking, askIfRequired }}>
      {children}
      <dialog {...attributes} className="dialog" aria-labelledby="reauthentication-heading">
        <h2 className="text-title" id="reauthentication-heading">
          {accountMessages.reauthentication.title}
        </h2>
        <p className="mt-2 text-muted-foreground">{accountMessages.reauthentication.description}</p>
        {isAsking && methods.password && (
          <PasswordReauthentication email={email} onReauthenticated={finish} />
        )}
        {methods.google && <GoogleReauthentication />}
        <button className="button button-outline mt-3 w-full" {...closer}>
          {labels.cancel}
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
  const { result, errors, attributes } = useForm<typeof signInAgain, Flash>({
    schema: signInAgain,
    read: (fields) => ({ password: fields.get('password') }),
    send: async (entered) => {
      const reply = await callWhenReady<SessionReply>('POST', '/api/auth/sign-in-again', entered);
      if (reply.ok) {
        onReauthenticated();
        return {};
      }
      return reply.problem?.code === 'invalid_credentials'
        ? { issues: [{ path: 'password', message: accountMessages.reauthentication.wrong }] }
        : flashAfterFailure(reply, { title: accountMessages.signIn.failed.title, isTyped: true });
    },
  });

  return (
    <>
      <form {...attributes} className="mt-6 grid gap-5">
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField id="reauthentication-password" errors={errors} />
        <SubmitButton className="button" busyLabel={settings.reauthentication.submitting}>
          {settings.reauthentication.submit}
        </SubmitButton>
      </form>
      <FlashMessage flash={result} />
    </>
  );
};
