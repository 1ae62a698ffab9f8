import { accountMessages } from '@app/contract/accounts/messages';
import type { Device } from '@app/contract/accounts/settings';
import { type SubmitEvent, useState } from 'react';
import { dateOf } from '../../blog/dates.ts';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { callWhenReady } from '../../forms/submit/call-when-ready.ts';
import { signOut } from '../menu/sign-out.ts';
import { failureFlash, useFlash } from '../sign-in/flash-message.ts';
import { Setting } from './Setting.tsx';
import type { Devices } from './use-devices.ts';

const { deviceEnded, devicesEnded } = accountMessages.settings;
const ended: NoticeText = { tone: 'success', title: deviceEnded };
const othersEnded: NoticeText = { tone: 'success', title: devicesEnded };
/** Fragments the API redirects to without scripts. */
const targets = { 'device-ended': ended, 'devices-ended': othersEnded };

export const DevicesSetting = ({ devices, isRefreshing, refresh }: Devices) => {
  const [flash, setFlash] = useFlash();
  const [submitted, setSubmitted] = useState(false);
  const [isEnding, setEnding] = useState(false);
  const isBusy = isEnding || isRefreshing;

  const end = async (event: SubmitEvent, path: string, done: NoticeText) => {
    event.preventDefault();
    if (isBusy) return;
    setSubmitted(true);
    setFlash(null);
    setEnding(true);
    const reply = await callWhenReady('DELETE', path);
    setEnding(false);
    // The session may have been ended elsewhere already.
    const failure = (await refresh()) ?? (reply.ok ? null : reply);
    setFlash(
      failure ? failureFlash(failure, { title: accountMessages.signOut.failed }) : { toast: done },
    );
  };

  const leave = async (event: SubmitEvent) => {
    event.preventDefault();
    setEnding(true);
    await signOut();
    setEnding(false);
  };

  return (
    <Setting id="devices" heading="Where you are signed in">
      <ul className="devices" aria-busy={isBusy}>
        {devices.map((device) => (
          <li key={device.id} className="device">
            <div>
              <p className="font-semibold">
                {device.name || 'Unknown device'}
                {device.isCurrent && <span className="current-device">This device</span>}
              </p>
              <p className="text-sm text-muted-foreground">{timesOf(device)}</p>
            </div>
            {device.isCurrent ? (
              <form action="/api/auth/sign-out" method="post" onSubmit={leave}>
                <button className="button button-outline button-sm" type="submit" disabled={isBusy}>
                  Log out
                </button>
              </form>
            ) : (
              <form
                action={`/api/auth/sessions/${device.id}/end`}
                method="post"
                onSubmit={(event) => end(event, `/api/auth/sessions/${device.id}`, ended)}
              >
                <button
                  className="button button-outline button-sm"
                  type="submit"
                  disabled={isBusy}
                  aria-label={`Sign out there: ${device.name || 'Unknown device'}`}
                >
                  Sign out there
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {devices.length > 1 && (
        <form
          className="mt-4"
          action="/api/auth/sessions/end-others"
          method="post"
          onSubmit={(event) => end(event, '/api/auth/sessions', othersEnded)}
        >
          <button className="button button-outline button-sm" type="submit" disabled={isBusy}>
            Sign out all other devices
          </button>
        </form>
      )}
      {isBusy && (
        <p className="busy" role="status">
          <Spinner /> Looking again...
        </p>
      )}
      <FormResult submitted={submitted} targets={targets}>
        {flash && <Toast {...flash.toast} />}
      </FormResult>
    </Setting>
  );
};

const timesOf = ({ isCurrent, signedInAt, lastSeenAt }: Device): string =>
  isCurrent
    ? `Signed in ${dateOf(signedInAt)}`
    : `Signed in ${dateOf(signedInAt)}, last used ${dateOf(lastSeenAt)}`;
