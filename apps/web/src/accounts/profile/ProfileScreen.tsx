import { initialsOf } from '@app/contract/accounts/initials';
import { accountMessages } from '@app/contract/accounts/messages';
import type { RenderedPages } from '@app/contract/pages';
import { profile as words } from '@app/site/accounts/profile';
import { useEffect, useState } from 'react';
import { TabList } from '../../components/TabList.tsx';
import { rememberAccount } from '../menu/remembered-account.ts';
import { Reauthentication } from '../settings/Reauthentication.tsx';
import { Settings } from '../settings/Settings.tsx';
import { useDevices } from '../settings/use-devices.ts';
import { Avatar } from './Avatar.tsx';
import { AvatarEditor } from './AvatarEditor.tsx';
import { ProfileForm } from './ProfileForm.tsx';

const tabs = [
  { id: 'profile', label: words.tabs.profile },
  { id: 'settings', label: words.tabs.settings },
] as const;
type Tab = (typeof tabs)[number]['id'];
/** The scroll margin prevents scrolling when a fragment opens a panel. */
const panelClass = 'mt-8 scroll-mt-[100vh] data-[open=false]:hidden';

type ProfileScreenProps = Omit<RenderedPages['profile'], 'isRecent'>;

/** Profile and Settings (spec §2). The tabs work without JavaScript; see tabs.css. */
export const ProfileScreen = (initial: ProfileScreenProps) => {
  const { email, entered } = initial;
  const [tab, setTab] = useState<Tab>('profile');
  const [enhanced, setEnhanced] = useState(false);
  const [profile, setProfile] = useState(initial.profile);
  const [methods, setMethods] = useState(initial.methods);
  const devices = useDevices(initial.devices);

  useEffect(() => {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.closest('#settings')) setTab('settings');
    setEnhanced(true);
  }, []);

  const show = (chosen: Tab) => {
    setTab(chosen);
    history.replaceState(history.state, '', `#${chosen}`);
  };

  const changeAvatar = (avatarUrl: string | null) => {
    if (!profile) return;
    const changed = { ...profile, avatarUrl };
    setProfile(changed);
    void rememberAccount(changed);
  };
  const onPassword = () => {
    setMethods({ ...methods, password: true });
    void devices.refresh();
  };

  const initials = initialsOf(profile);
  const url = profile?.avatarUrl ?? null;
  const name = profile?.fullName ?? profile?.username;
  const [beforeAt, afterAt] = email.split(/(?<=@)/);

  return (
    <div
      className="grid gap-x-[clamp(3rem,6vw,6rem)] gap-y-10 py-[clamp(2rem,6vw,4.5rem)] lg:grid-cols-[minmax(14rem,18rem)_minmax(0,46rem)] lg:items-start"
      data-tabs
      data-enhanced={enhanced || undefined}
    >
      <header className="flex items-start gap-5 lg:sticky lg:top-28 lg:block">
        <Avatar
          className="w-24 text-[2rem]/[normal] lg:w-36 lg:text-5xl/[normal]"
          url={url}
          initials={initials}
        />
        <div className="min-w-0 wrap-anywhere lg:mt-6">
          <h1 className="text-title" dir="auto">
            {name ?? words.nameless}
          </h1>
          <p className="text-muted-foreground">
            {beforeAt}
            <wbr />
            {afterAt}
          </p>
          <div className="mt-4">
            <AvatarEditor url={url} initials={initials} onChanged={changeAvatar} />
          </div>
        </div>
      </header>
      <div>
        <TabList
          label={words.tabs.label}
          tabs={tabs}
          open={tab}
          enhanced={enhanced}
          onOpen={show}
          className="lg:w-fit lg:min-w-80"
        />
        <section
          id="profile"
          className={panelClass}
          role="tabpanel"
          aria-labelledby="profile-tab"
          data-open={tab === 'profile'}
        >
          <h2 className="text-title">{words.heading}</h2>
          <div className="panel mt-5 p-6">
            {profile ? (
              <ProfileForm profile={profile} entered={entered} onSaved={setProfile} />
            ) : (
              <p className="text-muted-foreground">{accountMessages.profile.none}</p>
            )}
          </div>
        </section>
        <section
          id="settings"
          className={panelClass}
          role="tabpanel"
          aria-labelledby="settings-tab"
          data-open={tab === 'settings'}
        >
          <Reauthentication
            email={email}
            methods={methods}
            onReauthenticated={() => void devices.refresh()}
          >
            <Settings
              email={email}
              entered={entered.email}
              methods={methods}
              devices={devices}
              onPassword={onPassword}
            />
          </Reauthentication>
        </section>
      </div>
    </div>
  );
};
