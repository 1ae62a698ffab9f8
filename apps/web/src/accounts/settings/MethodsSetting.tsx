import type { SignInMethods } from '@app/contract/accounts/settings';
import { settings } from '@app/site/accounts/settings';
import { Setting } from './Setting.tsx';

const words = settings.methods;

export const MethodsSetting = ({ password, google }: SignInMethods) => (
  <Setting id="methods" heading={words.heading}>
    <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
      <dt>{words.password}</dt>
      <dd className="text-muted-foreground">{password ? words.isSet : words.notSet}</dd>
      {google && <dt>{words.google}</dt>}
      {google && <dd className="text-muted-foreground">{words.connected}</dd>}
    </dl>
  </Setting>
);
