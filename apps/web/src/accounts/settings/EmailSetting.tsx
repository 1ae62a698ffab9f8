import { accountMessages } from '@app/contract/accounts/messages';
import { emailChange } from '@app/contract/accounts/settings';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { settings } from '@app/site/accounts/settings';
import { labels } from '@app/site/forms/labels';
import { Field } from '../../components/form/Field.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { ChangeSetting } from './ChangeSetting.tsx';

const { email: words } = settings;
const { emailChangeSent, emailChanged, emailNotChanged, emailSame, emailDeadLink } =
  accountMessages.settings;
const sent: NoticeText = { tone: 'success', ...emailChangeSent };
const failed: NoticeText = { tone: 'danger', title: emailNotChanged };
const targets = {
  'email-sent': sent,
  'email-changed': { tone: 'success', ...emailChanged },
  'email-dead-link': { ...failed, description: emailDeadLink },
  'email-required': { ...failed, description: messages.field.emailRequired },
  'email-same': { ...failed, description: emailSame },
  'email-invalid': { ...failed, description: messages.field.emailInvalid },
  'email-failed': failed,
} as const;

interface EmailSettingProps {
  email: string;
  entered: string | undefined;
}

export const EmailSetting = ({ email, entered }: EmailSettingProps) => (
  <ChangeSetting
    id="email"
    heading={words.heading}
    current={<p className="wrap-anywhere">{email}</p>}
    change={words.change}
    submit={words.submit}
    busySubmit={labels.sending}
    action="/api/auth/email"
    method="POST"
    schema={emailChange}
    changed={sent}
    failed={failed}
    targets={targets}
    isOpen={entered !== undefined}
  >
    {(errors) => (
      <Field id="new-email" name="email" label={words.label} max={limits.email} errors={errors}>
        {(control) => (
          <input {...control} defaultValue={entered} type="email" required autoComplete="email" />
        )}
      </Field>
    )}
  </ChangeSetting>
);
