import { limits } from '@app/contract/limits';
import { Field } from './Field.tsx';
import type { FormAgain } from './form-again.ts';
import type { FieldErrors } from './use-form.ts';

interface EmailFieldProps {
  /** Unique on the page. */
  id: string;
  errors: FieldErrors;
  again?: FormAgain | undefined;
}

/** Asks for the address that an answer goes to. */
export const EmailField = ({ id, errors, again }: EmailFieldProps) => (
  <Field id={id} name="email" label="Email" most={limits.email} errors={errors} again={again}>
    {(control) => <input {...control} type="email" required autoComplete="email" />}
  </Field>
);
