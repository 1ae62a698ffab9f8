import { type Credentials, credentials } from '@app/contract/accounts/sign-in';
import type { InputIssue } from '@app/contract/problems';
import { EmailField } from '../../components/form/EmailField.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { PasswordField } from './PasswordField.tsx';

interface CredentialsFormProps {
  id: 'sign-in' | 'sign-up';
  submit: string;
  busySubmit: string;
  /** Initial value. */
  email: string;
  clear: () => void;
  send: (credentials: Credentials, form: HTMLFormElement) => Promise<readonly InputIssue[]>;
}

export const CredentialsForm = ({
  id,
  submit,
  busySubmit,
  email,
  clear,
  send,
}: CredentialsFormProps) => {
  const { busy, errors, attributes } = useForm({ schema: credentials, clear, send });
  const isNew = id === 'sign-up';

  return (
    <form {...attributes} action={`/api/auth/${id}`} method="post" className="grid gap-5">
      <EmailField
        id={`${id}-email`}
        errors={errors}
        email={email}
        autoComplete={isNew ? 'email' : 'username'}
      />
      <div>
        <PasswordField id={`${id}-password`} errors={errors} isNew={isNew} />
        {!isNew && (
          <p className="mt-2 text-sm">
            <a className="link" href="/auth/forgot">
              Forgot your password?
            </a>
          </p>
        )}
      </div>
      <button className="button" type="submit" disabled={busy}>
        {busy ? busySubmit : submit}
      </button>
    </form>
  );
};
