import { accountMessages } from '@app/contract/accounts/messages';
import { passwordChange } from '@app/contract/accounts/settings';
import { messages } from '@app/contract/messages';
import { settings } from '@app/site/accounts/settings';
import { signInForms } from '@app/site/accounts/sign-in';
import { labels } from '@app/site/forms/labels';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { PasswordField } from '../sign-in/PasswordField.tsx';
import { ChangeSetting } from './ChangeSetting.tsx';

const { password: words } = settings;
const changed: NoticeText = { tone: 'success', ...accountMessages.password.changed };
const failed: NoticeText = { tone: 'danger', title: accountMessages.password.resetFailed };
const targets = {
  'password-changed': changed,
  'password-required': { ...failed, description: messages.field.passwordRequired },
  'password-invalid': { ...failed, description: messages.field.passwordTooShort },
  'password-common': { ...failed, description: accountMessages.password.common },
  'password-failed': failed,
};

interface PasswordSettingProps {
  email: string;
  /** False for users who signed up with Google and never set a password. */
  hasPassword: boolean;
  onChanged: () => void;
}

export const PasswordSetting = ({ email, hasPassword, onChanged }: PasswordSettingProps) => (
  <ChangeSetting
    id="password"
    heading={words.heading}
    current={<p className="text-muted-foreground">{hasPassword ? words.text : words.none.text}</p>}
    change={hasPassword ? words.change : words.none.change}
    submit={words.submit}
    busySubmit={labels.saving}
    action="/api/auth/password"
    method="PUT"
    schema={passwordChange}
    read={(fields) => ({ password: fields.get('password') })}
    changed={changed}
    failed={failed}
    targets={targets}
    onChanged={onChanged}
  >
    {(errors) => (
      <>
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField id="new-password" label={signInForms.newPassword} errors={errors} isNew />
      </>
    )}
  </ChangeSetting>
);
