import type { ReactNode } from 'react';
import type { FieldErrors } from './use-form.ts';

interface FieldProps {
  /** Unique on the page; the ids of the hint and the error are made of it. */
  id: string;
  name: string;
  label: string;
  /** Said after the label: (optional) */
  aside?: string;
  /** Stands at the other end of the label's line. */
  beside?: ReactNode;
  /** Said below the control. */
  hint?: string;
  errors: FieldErrors;
  /** Draws the control with the attributes that tie it to its label, hint and error. */
  children: (attributes: ControlAttributes) => ReactNode;
}

interface ControlAttributes {
  id: string;
  name: string;
  className: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export const Field = ({ id, name, label, aside, beside, hint, errors, children }: FieldProps) => {
  const error = errors[name];
  const hintId = hint && `${id}-hint`;
  const errorId = error && `${id}-error`;

  return (
    <div>
      <div className="mb-1.5 flex flex-wrap items-end justify-between gap-x-6">
        <label className="weight-600" htmlFor={id}>
          {label}
          {aside && <span className="weight-400 text-soft"> {aside}</span>}
        </label>
        {beside}
      </div>
      {children({
        id,
        name,
        className: 'input',
        'aria-invalid': error ? true : undefined,
        'aria-describedby': [hintId, errorId].filter(Boolean).join(' ') || undefined,
      })}
      {hint && (
        <p className="mt-2 text-small text-soft" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p className="mt-2 text-small weight-500 text-alarm" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
};
