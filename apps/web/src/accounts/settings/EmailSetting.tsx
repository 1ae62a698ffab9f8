import { accountMessages } from '@app/contract/accounts/messages';
import { emailChange } from '@app/contract/accounts/settings';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { Field } from '../../components/form/Field.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { ChangeSetting } from './ChangeSetting.tsx';

const { emailChangeSent, emailChanged, emailDeadLink } = accountMessages.settings;
const sent: NoticeText = { tone: 'success', ...emailChangeSent };
const failed: NoticeText = { tone: 'danger', title: 'The email was not changed' };
const targets = {
  'email-sent': sent,
  'email-changed': { tone: 'success', ...emailChanged },
  'email-dead-link': { ...failed, description: emailDeadLink },
  'email-invalid': { ...failed, description: messages.field.emailInvalid },
  'email-failed': failed,
} as const;

export const EmailSetting = ({ email }: { email: string }) => (
  <ChangeSetting
    id="email"
    heading="Email"
    current={<p className="wrap-anywhere">{email}</p>}
    change="Change email"
    submit="Send the link"
    busySubmit="Sending..."
    action="/api/auth/email"
    method="POST"
    schema={emailChange}
    changed={sent}
    failed={failed}
    targets={targets}
  >
    {(errors) => (
      <Field id="new-email" name="email" label="New email" max={limits.email} errors={errors}>
        {(control) => <input {...control} type="email" required autoComplete="email" />}
      </Field>
    )}
  </ChangeSetting>
);
