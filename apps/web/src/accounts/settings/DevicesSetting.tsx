import { accountMessages } from '@app/contract/accounts/messages';
import type { Device } from '@app/contract/accounts/settings';
import { settings } from '@app/site/accounts/settings';
import { dateOf } from '../../components/dates.ts';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import { useFormAction } from '../../components/form/use-form-action.ts';
import { Spinner } from '../../components/Spinner.tsx';
import { useFocusFallback } from '../../components/use-focus-fallback.ts';
import { callWhenReady } from '../../http/call-when-ready.ts';
import { signOut } from '../menu/sign-out.ts';
import { type Flash, flashAfterFailure } from '../sign-in/flash-message.ts';
import { Setting } from './Setting.tsx';
import type { Devices } from './use-devices.ts';

const { deviceEnded, devicesEnded } = accountMessages.settings;
const { devices: words } = settings;
const ended: NoticeText = { tone: 'success', title: deviceEnded };
const othersEnded: NoticeText = { tone: 'success', title: devicesEnded };
const targets = { 'device-ended': ended, 'devices-ended': othersEnded };

export const DevicesSetting = ({ devices, isRefreshing, refresh }: Devices) => {
  const ending = useFormAction<Flash>(async ({ dataset: { device } }) => {
    const all = '/api/auth/sessions';
    const reply = await callWhenReady('DELETE', device ? `${all}/${device}` : all);
    // If the session was already ended elsewhere, the refreshed list is the desired result.
    const failure = (await refresh()) ?? (reply.ok ? null : reply);
    return failure
      ? flashAfterFailure(failure, { title: accountMessages.signOut.failed })
      : { result: { toast: device ? ended : othersEnded } };
  });
  const leaving = useFormAction(async () => {
    await signOut();
    return {};
  });
  const fallback = useFocusFallback<HTMLDivElement>();
  const isBusy = ending.isPending || leaving.isPending || isRefreshing;

  return (
    <Setting id="devices" heading={words.heading}>
      <div ref={fallback} tabIndex={-1} className="rounded-md">
        <ul className="divide-y divide-border" aria-busy={isBusy}>
          {devices.map((device) => (
            <li
              key={device.id}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-3.5 first:pt-0"
            >
              <div className="min-w-48 flex-1">
                <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
                  {device.name || words.unknown}
                  {device.isCurrent && (
                    <span className="rounded-full bg-primary-subtle px-2 py-px text-[0.8125rem] text-primary">
                      {words.current}
                    </span>
                  )}
                </p>
                <p className="text-sm text-muted-foreground">{timesOf(device)}</p>
              </div>
              {device.isCurrent ? (
                <form action="/api/auth/sign-out" method="post" onSubmit={leaving.onSubmit}>
                  <SubmitButton className="button button-outline button-sm" disabled={isBusy}>
                    {words.logOut}
                  </SubmitButton>
                </form>
              ) : (
                <form
                  action={`/api/auth/sessions/${device.id}/end`}
                  method="post"
                  data-device={device.id}
                  onSubmit={ending.onSubmit}
                >
                  <SubmitButton
                    className="button button-outline button-sm"
                    disabled={isBusy}
                    aria-label={`${words.end}: ${device.name || words.unknown}`}
                  >
                    {words.end}
                  </SubmitButton>
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
            onSubmit={ending.onSubmit}
          >
            <SubmitButton className="button button-outline button-sm" disabled={isBusy}>
              {words.endOthers}
            </SubmitButton>
          </form>
        )}
      </div>
      {isBusy && (
        <p className="mt-4 flex items-center gap-2.5 text-muted-foreground" role="status">
          <Spinner /> {words.refreshing}
        </p>
      )}
      <FormResult submitted={ending.submitted} targets={targets}>
        {ending.result && <Toast {...ending.result.toast} />}
      </FormResult>
    </Setting>
  );
};

const timesOf = ({ isCurrent, signedInAt, lastSeenAt }: Device): string =>
  isCurrent
    ? words.signedIn(dateOf(signedInAt))
    : `${words.signedIn(dateOf(signedInAt))}, ${words.lastUsed(dateOf(lastSeenAt))}`;
