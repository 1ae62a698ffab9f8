import type { SignInMethods } from '@app/contract/accounts/settings';
import { Setting } from './Setting.tsx';

export const MethodsSetting = ({ password, google }: SignInMethods) => (
  <Setting id="methods" heading="Sign-in methods">
    <dl className="methods">
      <dt>Email and password</dt>
      <dd>{password ? 'Set' : 'Not set'}</dd>
      {google && <dt>Google</dt>}
      {google && <dd>Connected</dd>}
    </dl>
  </Setting>
);
