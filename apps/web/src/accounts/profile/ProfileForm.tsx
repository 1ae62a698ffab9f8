import { accountMessages } from '@app/contract/accounts/messages';
import { type Profile, profileChange } from '@app/contract/accounts/profile';
import { limits } from '@app/contract/limits';
import { Field } from '../../components/form/Field.tsx';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { callWhenReady } from '../../forms/submit/call-when-ready.ts';
import { rememberAccount } from '../menu/remembered-account.ts';
import { failureFlash, useFlash } from '../sign-in/flash-message.ts';

const { updated, updateFailed, usernameTooShort, fullNameTooShort, usernameTaken } =
  accountMessages.profile;
const done: NoticeText = { tone: 'success', ...updated };
const failed: NoticeText = { tone: 'danger', title: updateFailed };
/** Fragments the API redirects to without scripts. */
const targets = {
  'profile-updated': done,
  invalid: { ...failed, description: `${usernameTooShort}. ${fullNameTooShort}.` },
  'username-taken': { ...failed, description: usernameTaken },
  failed,
};

interface ProfileFormProps {
  profile: Profile;
  onSaved: (profile: Profile) => void;
}

/** Edit Profile (spec §2, §5). */
export const ProfileForm = ({ profile, onSaved }: ProfileFormProps) => {
  const [flash, setFlash] = useFlash();
  const { submitted, busy, errors, attributes } = useForm({
    schema: profileChange,
    clear: () => setFlash(null),
    send: async (change) => {
      const reply = await callWhenReady<Profile>('PATCH', '/api/profile', change);
      if (!reply.ok) {
        if (reply.problem?.issues) return reply.problem.issues;
        setFlash(failureFlash(reply, { title: updateFailed, isTyped: true }));
        return [];
      }
      void rememberAccount(reply.value);
      onSaved(reply.value);
      setFlash({ toast: done });
      return [];
    },
  });

  return (
    <form {...attributes} action="/api/profile" method="post">
      <div className="grid gap-6">
        <Field
          id="profile-username"
          name="username"
          label="Username"
          hint="Letters and digits, with single dots, hyphens or underscores between them."
          max={limits.username}
          errors={errors}
        >
          {(control) => (
            <input
              {...control}
              defaultValue={profile.username ?? undefined}
              required
              minLength={limits.usernameMin}
              // Not `username`, which password managers take for the sign-in name.
              autoComplete="nickname"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field
          id="profile-full-name"
          name="fullName"
          label="Full Name"
          aside="(optional)"
          hint="Stands beside the posts that you write."
          max={limits.name}
          errors={errors}
        >
          {(control) => (
            <input
              {...control}
              defaultValue={profile.fullName ?? undefined}
              minLength={limits.fullNameMin}
              autoComplete="name"
            />
          )}
        </Field>
        <button className="button justify-self-start" type="submit" disabled={busy}>
          {busy ? 'Saving...' : 'Save Changes'}
        </button>
      </div>
      <FormResult submitted={submitted} targets={targets}>
        {flash && <Toast {...flash.toast} />}
      </FormResult>
    </form>
  );
};
