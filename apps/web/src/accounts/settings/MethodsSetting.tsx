import type { SignInMethods } from '@app/contract/accounts/settings';
import { Setting } from './Setting.tsx';

export const MethodsSetting = ({ password, google }: SignInMethods) => (
  <Setting id="methods" heading="Sign-in methods">
    <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
      <dt>Email and password</dt>
      <dd className="text-muted-foreground">{password ? 'Set' : 'Not set'}</dd>
      {google && <dt>Google</dt>}
      {google && <dd className="text-muted-foreground">Connected</dd>}
    </dl>
  </Setting>
);
