import { limits } from '@app/contract/limits';
import { labels } from '@app/site/forms/labels';
import { Field } from './Field.tsx';
import type { SavedEntries } from './saved-entries.ts';
import type { FieldErrors } from './use-form.ts';

interface EmailFieldProps {
  id: string;
  errors: FieldErrors;
  saved?: SavedEntries | undefined;
  email?: string;
  /** `username` next to a password (HTML, 4.10.18.7). */
  autoComplete?: 'email' | 'username';
}

export const EmailField = ({
  id,
  errors,
  saved,
  email,
  autoComplete = 'email',
}: EmailFieldProps) => (
  <Field id={id} name="email" label={labels.email} max={limits.email} errors={errors} saved={saved}>
    {(control) => (
      <input
        {...control}
        // Can arrive after the first render. Does not replace what was typed by then.
        {...(email && { defaultValue: email })}
        type="email"
        required
        autoComplete={autoComplete}
      />
    )}
  </Field>
);
