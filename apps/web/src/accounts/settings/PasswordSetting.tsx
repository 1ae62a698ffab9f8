import { accountMessages } from '@app/contract/accounts/messages';
import { passwordChange } from '@app/contract/accounts/settings';
import { messages } from '@app/contract/messages';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { PasswordField } from '../sign-in/PasswordField.tsx';
import { ChangeSetting } from './ChangeSetting.tsx';

const changed: NoticeText = { tone: 'success', ...accountMessages.password.changed };
const failed: NoticeText = { tone: 'danger', title: 'The password was not changed' };
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

export const PasswordSetting = ({ email, hasPassword, onChanged }: PasswordSettingProps) => (
  <ChangeSetting
    id="password"
    heading="Password"
    current={
      <p className="text-muted-foreground">
        {hasPassword
          ? 'Changing it signs you out on all other devices.'
          : 'You have none: you sign in with Google. With one you can sign in both ways.'}
      </p>
    }
    change={hasPassword ? 'Change password' : 'Set a password'}
    submit="Save password"
    busySubmit="Saving..."
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
        <PasswordField id="new-password" label="New password" errors={errors} isNew />
      </>
    )}
  </ChangeSetting>
);
