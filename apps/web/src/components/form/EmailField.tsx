import { limits } from '@app/contract/limits';
import type { SavedEntries } from '../../forms/submit/saved-entries.ts';
import { Field } from './Field.tsx';
import type { FieldErrors } from './use-form.ts';

interface EmailFieldProps {
  /** Unique on the page. */
  id: string;
  errors: FieldErrors;
  saved?: SavedEntries | undefined;
  /** What is known already. */
  email?: string;
  /** `username` where it goes with a password that is kept for the site (HTML, 4.10.18.7). */
  autoComplete?: 'email' | 'username';
}

/** Asks for the address that an answer goes to, or that an account is known by. */
export const EmailField = ({
  id,
  errors,
  saved,
  email,
  autoComplete = 'email',
}: EmailFieldProps) => (
  <Field id={id} name="email" label="Email" max={limits.email} errors={errors} saved={saved}>
    {(control) => (
      <input
        {...control}
        // What is known later is put in as if it had been there from the start.
        key={email}
        {...(email && { defaultValue: email })}
        type="email"
        required
        autoComplete={autoComplete}
      />
    )}
  </Field>
);
