import { accountMessages } from '@app/contract/accounts/messages';
import { type Profile, profileChange } from '@app/contract/accounts/profile';
import { limits } from '@app/contract/limits';
import type { RenderedPages } from '@app/contract/pages';
import { profile as words } from '@app/site/accounts/profile';
import { labels } from '@app/site/forms/labels';
import { Field } from '../../components/form/Field.tsx';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { callWhenReady } from '../../http/call-when-ready.ts';
import { rememberAccount } from '../menu/remembered-account.ts';
import { type Flash, flashAfterFailure } from '../sign-in/flash-message.ts';

const { updated, updateFailed, usernameTooShort, fullNameTooShort, usernameTaken } =
  accountMessages.profile;
const done: NoticeText = { tone: 'success', ...updated };
const failed: NoticeText = { tone: 'danger', title: updateFailed };
const targets = {
  'profile-updated': done,
  invalid: { ...failed, description: `${usernameTooShort}. ${fullNameTooShort}.` },
  'username-taken': { ...failed, description: usernameTaken },
  failed,
};

interface ProfileFormProps {
  profile: Profile;
  entered: RenderedPages['profile']['entered'];
  onSaved: (profile: Profile) => void;
}

export const ProfileForm = ({ profile, entered, onSaved }: ProfileFormProps) => {
  const { submitted, result, errors, attributes } = useForm<typeof profileChange, Flash>({
    schema: profileChange,
    send: async (change) => {
      const reply = await callWhenReady<Profile>('PATCH', '/api/profile', change);
      if (!reply.ok) return flashAfterFailure(reply, { title: updateFailed, isTyped: true });
      void rememberAccount(reply.value);
      onSaved(reply.value);
      return { result: { toast: done } };
    },
  });

  return (
    <form {...attributes} action="/api/profile" method="post">
      <div className="grid gap-6">
        <Field
          id="profile-username"
          name="username"
          label={words.username}
          hint={words.usernameHint}
          max={limits.username}
          errors={errors}
        >
          {(control) => (
            <input
              {...control}
              defaultValue={entered.username ?? profile.username ?? undefined}
              required
              minLength={limits.usernameMin}
              // Not `username`, because password managers would use it as the sign-in name.
              autoComplete="nickname"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field
          id="profile-full-name"
          name="fullName"
          label={labels.fullName}
          aside={labels.optional}
          hint={words.fullNameHint}
          max={limits.name}
          errors={errors}
        >
          {(control) => (
            <input
              {...control}
              defaultValue={entered.fullName ?? profile.fullName ?? undefined}
              minLength={limits.fullNameMin}
              autoComplete="name"
            />
          )}
        </Field>
        <SubmitButton className="button justify-self-start" busyLabel={labels.saving}>
          {words.submit}
        </SubmitButton>
      </div>
      <FormResult submitted={submitted} targets={targets}>
        {result && <Toast {...result.toast} />}
      </FormResult>
    </form>
  );
};
