import { accountMessages } from '@app/contract/accounts/messages';
import { emailChange } from '@app/contract/accounts/settings';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { use, useRef } from 'react';
import { Field } from '../../components/form/Field.tsx';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { callWhenReady } from '../../forms/submit/call-when-ready.ts';
import { failureFlash, useFlash } from '../sign-in/flash-message.ts';
import { ReauthenticationContext } from './reauthentication.ts';
import { Setting } from './Setting.tsx';

const { emailChangeSent, emailChanged, emailDeadLink } = accountMessages.settings;
const sent: NoticeText = { tone: 'success', ...emailChangeSent };
const title = 'The email was not changed';
const failed: NoticeText = { tone: 'danger', title };
/** Fragments the API redirects to without scripts, and from the emailed link. */
const targets = {
  'email-sent': sent,
  'email-changed': { tone: 'success', ...emailChanged },
  'email-dead-link': { ...failed, description: emailDeadLink },
  'email-invalid': { ...failed, description: messages.field.emailInvalid },
  'email-failed': failed,
} as const;

export const EmailSetting = ({ email }: { email: string }) => {
  const reauthenticate = use(ReauthenticationContext);
  const details = useRef<HTMLDetailsElement>(null);
  const [flash, setFlash] = useFlash();
  const { submitted, busy, errors, attributes } = useForm({
    schema: emailChange,
    clear: () => setFlash(null),
    send: async (change, form) => {
      const reply = await reauthenticate(() => callWhenReady('POST', '/api/auth/email', change));
      if (!reply.ok) {
        if (reply.problem?.issues) return reply.problem.issues;
        setFlash(failureFlash(reply, { title, isTyped: true }));
        return [];
      }
      form.reset();
      if (details.current) details.current.open = false;
      setFlash({ toast: sent });
      return [];
    },
  });

  return (
    <Setting id="email" heading="Email">
      <p className="current-email">{email}</p>
      <details ref={details} className="change">
        <summary className="button button-outline button-sm">Change email</summary>
        <form {...attributes} action="/api/auth/email" method="post" className="mt-5 grid gap-5">
          <Field id="new-email" name="email" label="New email" max={limits.email} errors={errors}>
            {(control) => <input {...control} type="email" required autoComplete="email" />}
          </Field>
          <button className="button justify-self-start" type="submit" disabled={busy}>
            {busy ? 'Sending...' : 'Send the link'}
          </button>
        </form>
      </details>
      <FormResult submitted={submitted} targets={targets}>
        {flash && <Toast {...flash.toast} />}
      </FormResult>
    </Setting>
  );
};
