import { accountMessages } from '@app/contract/accounts/messages';
import type { SignInMethods } from '@app/contract/accounts/settings';
import { settings } from '@app/site/accounts/settings';
import { Notice } from '../../components/form/Notice.tsx';
import { GoogleFailedToast, googleFailed } from '../sign-in/GoogleFailedToast.tsx';
import { DataSetting } from './DataSetting.tsx';
import { DeletionSetting } from './DeletionSetting.tsx';
import { DevicesSetting } from './DevicesSetting.tsx';
import { EmailSetting } from './EmailSetting.tsx';
import { MethodsSetting } from './MethodsSetting.tsx';
import { PasswordSetting } from './PasswordSetting.tsx';
import { ReauthenticationTargets } from './ReauthenticationTargets.tsx';
import type { Devices } from './use-devices.ts';

interface SettingsProps {
  email: string;
  /** In the form for another email, which was rejected without JavaScript. */
  entered: string | undefined;
  methods: SignInMethods;
  devices: Devices;
  onPassword: () => void;
}

export const Settings = ({ email, entered, methods, devices, onPassword }: SettingsProps) => (
  <>
    <h2 className="text-title">{settings.heading}</h2>
    <div className="has-target:mt-5">
      <GoogleFailedToast />
      <ReauthenticationTargets methods={methods} />
      <Notice tone="success" {...accountMessages.google.linked} target="google-linked" />
      <Notice tone="danger" title={accountMessages.google.failed} target={googleFailed} />
    </div>
    <EmailSetting email={email} entered={entered} />
    <PasswordSetting email={email} hasPassword={methods.password} onChanged={onPassword} />
    <MethodsSetting {...methods} />
    <DevicesSetting {...devices} />
    <DataSetting />
    <DeletionSetting />
    <p className="mt-7 border-t border-border pt-7 text-muted-foreground">
      {accountMessages.settings.more}
    </p>
  </>
);
