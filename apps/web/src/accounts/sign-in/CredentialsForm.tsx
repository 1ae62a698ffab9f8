import { signInForms } from '@app/site/accounts/sign-in';
import type { ComponentProps } from 'react';
import { EmailField } from '../../components/form/EmailField.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import type { FieldErrors } from '../../components/form/use-form.ts';
import { PasswordField } from './PasswordField.tsx';

interface CredentialsFormProps {
  id: 'sign-in' | 'sign-up';
  email: string;
  errors: FieldErrors;
  attributes: ComponentProps<'form'>;
}

export const CredentialsForm = ({ id, email, errors, attributes }: CredentialsFormProps) => {
  const isNew = id === 'sign-up';
  const { submit, submitting } = isNew ? signInForms.signUp : signInForms.signIn;

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
              {signInForms.forgot}
            </a>
          </p>
        )}
      </div>
      <SubmitButton className="button" busyLabel={submitting}>
        {submit}
      </SubmitButton>
    </form>
  );
};
