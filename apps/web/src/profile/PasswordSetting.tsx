import { accountMessages } from '@app/contract/account-messages';
import { passwordChange } from '@app/contract/account-settings';
import type { SessionReply } from '@app/contract/accounts';
import { messages } from '@app/contract/messages';
import { use, useRef } from 'react';
import { PasswordField } from '../accounts/PasswordField.tsx';
import { saidOf, useSaid } from '../accounts/said.ts';
import { callWhenReady } from '../forms/call-when-ready.ts';
import type { NoticeText } from '../forms/Notice.tsx';
import { Outcome } from '../forms/Outcome.tsx';
import { Toast } from '../forms/Toast.tsx';
import { useForm } from '../forms/use-form.ts';
import { ProveContext } from './proof.ts';
import { Setting } from './Setting.tsx';

const changed: NoticeText = { tone: 'good', ...accountMessages.password.changed };
const title = 'The password was not changed';
const failed: NoticeText = { tone: 'alarm', title };
/** Where the API leads when the form is sent without a script. */
const targets = {
  'password-changed': changed,
  'password-invalid': { ...failed, description: messages.field.passwordTooShort },
  'password-common': { ...failed, description: accountMessages.password.common },
  'password-failed': failed,
};

interface PasswordSettingProps {
  email: string;
  /** Whether there is one yet: who came with Google may have none. */
  hasPassword: boolean;
  onChanged: () => void;
}

export const PasswordSetting = ({ email, hasPassword, onChanged }: PasswordSettingProps) => {
  const prove = use(ProveContext);
  const details = useRef<HTMLDetailsElement>(null);
  const [said, setSaid] = useSaid();
  const { tried, busy, errors, attributes } = useForm({
    schema: passwordChange,
    clear: () => setSaid(null),
    read: (fields) => ({ password: fields.get('password') }),
    send: async (change, form) => {
      const reply = await prove(() =>
        callWhenReady<SessionReply>('PUT', '/api/auth/password', change),
      );
      if (!reply.ok) {
        if (reply.problem?.issues) return reply.problem.issues;
        setSaid(saidOf(reply, { title, isTyped: true }));
        return [];
      }
      form.reset();
      if (details.current) details.current.open = false;
      setSaid({ toast: changed });
      onChanged();
      return [];
    },
  });

  return (
    <Setting id="password" heading="Password">
      <p className="text-soft">
        {hasPassword
          ? 'With a new one you are signed out everywhere else.'
          : 'You have none: you sign in with Google. With one you can sign in both ways.'}
      </p>
      <details ref={details} className="change">
        <summary className="button button-quiet button-small">
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
      <Outcome tried={tried} targets={targets}>
        {said && <Toast {...said.toast} />}
      </Outcome>
    </Setting>
  );
};
