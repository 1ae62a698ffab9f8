import { accountMessages } from '@app/contract/accounts/messages';
import { passwordChange } from '@app/contract/accounts/settings';
import type { SessionReply } from '@app/contract/accounts/sign-in';
import { messages } from '@app/contract/messages';
import { use, useRef } from 'react';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { callWhenReady } from '../../forms/submit/call-when-ready.ts';
import { failureFlash, useFlash } from '../sign-in/flash-message.ts';
import { PasswordField } from '../sign-in/PasswordField.tsx';
import { ReauthenticationContext } from './reauthentication.ts';
import { Setting } from './Setting.tsx';

const changed: NoticeText = { tone: 'success', ...accountMessages.password.changed };
const title = 'The password was not changed';
const failed: NoticeText = { tone: 'danger', title };
/** Fragments the API redirects to without scripts. */
const targets = {
  'password-changed': changed,
  'password-invalid': { ...failed, description: messages.field.passwordTooShort },
  'password-common': { ...failed, description: accountMessages.password.common },
  'password-failed': failed,
};

interface PasswordSettingProps {
  email: string;
  /** Users who signed up with Google may have none. */
  hasPassword: boolean;
  onChanged: () => void;
}

export const PasswordSetting = ({ email, hasPassword, onChanged }: PasswordSettingProps) => {
  const reauthenticate = use(ReauthenticationContext);
  const details = useRef<HTMLDetailsElement>(null);
  const [flash, setFlash] = useFlash();
  const { submitted, busy, errors, attributes } = useForm({
    schema: passwordChange,
    clear: () => setFlash(null),
    read: (fields) => ({ password: fields.get('password') }),
    send: async (change, form) => {
      const reply = await reauthenticate(() =>
        callWhenReady<SessionReply>('PUT', '/api/auth/password', change),
      );
      if (!reply.ok) {
        if (reply.problem?.issues) return reply.problem.issues;
        setFlash(failureFlash(reply, { title, isTyped: true }));
        return [];
      }
      form.reset();
      if (details.current) details.current.open = false;
      setFlash({ toast: changed });
      onChanged();
      return [];
    },
  });

  return (
    <Setting id="password" heading="Password">
      <p className="text-muted-foreground">
        {hasPassword
          ? 'Changing it signs you out on all other devices.'
          : 'You have none: you sign in with Google. With one you can sign in both ways.'}
      </p>
      <details ref={details} className="change">
        <summary className="button button-outline button-sm">
          {hasPassword ? 'Change password' : 'Set a password'}
        </summary>
        <form {...attributes} action="/api/auth/password" method="post" className="mt-5 grid gap-5">
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordField id="new-password" label="New password" errors={errors} isNew />
          <button className="button justify-self-start" type="submit" disabled={busy}>
            {busy ? 'Saving...' : 'Save password'}
          </button>
        </form>
      </details>
      <FormResult submitted={submitted} targets={targets}>
        {flash && <Toast {...flash.toast} />}
      </FormResult>
    </Setting>
  );
};
