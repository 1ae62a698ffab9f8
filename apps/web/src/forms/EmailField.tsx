import { limits } from '@app/contract/limits';
import { Field } from './Field.tsx';
import type { FieldErrors } from './use-form.ts';

interface EmailFieldProps {
  /** Unique on the page. */
  id: string;
  errors: FieldErrors;
}

/** Asks for the address that an answer goes to. */
export const EmailField = ({ id, errors }: EmailFieldProps) => (
  <Field id={id} name="email" label="Email" errors={errors}>
    {(control) => (
      <input {...control} type="email" required maxLength={limits.email} autoComplete="email" />
    )}
  </Field>
);
