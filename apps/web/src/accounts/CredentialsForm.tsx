import { type Credentials, credentials } from '@app/contract/accounts';
import { limits } from '@app/contract/limits';
import type { InputIssue } from '@app/contract/problems';
import type { ReactNode } from 'react';
import { Field } from '../forms/Field.tsx';
import { useForm } from '../forms/use-form.ts';

interface CredentialsFormProps {
  id: 'sign-in' | 'sign-up';
  submit: string;
  busySubmit: string;
  /** Prefills the email. */
  email: string;
  send: (credentials: Credentials, form: HTMLFormElement) => Promise<readonly InputIssue[]>;
  /** What came of it, below the form: it may hold a form of its own. */
  children: ReactNode;
}

/** Email and password: both tabs ask for the same two. */
export const CredentialsForm = ({
  id,
  submit,
  busySubmit,
  email,
  send,
  children,
}: CredentialsFormProps) => {
  const { busy, errors, attributes } = useForm({ schema: credentials, send });
  const isNew = id === 'sign-up';

  return (
    <>
      <form {...attributes} action={`/api/auth/${id}`} method="post" className="grid gap-5">
        <Field id={`${id}-email`} name="email" label="Email" errors={errors}>
          {(control) => (
            <input
              {...control}
              key={email}
              defaultValue={email || undefined}
              type="email"
              required
              maxLength={limits.email}
              autoComplete="email"
            />
          )}
        </Field>
        <Field
          id={`${id}-password`}
          name="password"
          label="Password"
          {...(isNew && { hint: `At least ${limits.passwordMin} characters.` })}
          errors={errors}
        >
          {(control) => (
            <input
              {...control}
              type="password"
              required
              minLength={limits.passwordMin}
              maxLength={limits.passwordMax}
              autoComplete={isNew ? 'new-password' : 'current-password'}
            />
          )}
        </Field>
        <button className="button" type="submit" disabled={busy}>
          {busy ? busySubmit : submit}
        </button>
      </form>
      <div className="outcome" aria-live="polite">
        {children}
      </div>
    </>
  );
};
