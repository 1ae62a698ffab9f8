import { messages } from '@app/contract/messages';
import { type ReactNode, useEffect, useState } from 'react';
import type { SavedEntries } from '../../forms/submit/saved-entries.ts';
import type { FieldErrors } from './use-form.ts';
import { useRemainingCharacters } from './use-remaining-characters.ts';

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
  /** How many characters it takes. Said below the control when it is nearly full. */
  max?: number;
  /** Whether it has the focus when its dialog opens, with a script or without. */
  isFirst?: boolean;
  errors: FieldErrors;
  /** What was typed before, and refused. */
  saved?: SavedEntries | undefined;
  /** Draws the control with the attributes that tie it to its label, hint and error. */
  children: (attributes: ControlAttributes) => ReactNode;
}

interface ControlAttributes {
  id: string;
  name: string;
  className: string;
  /** What is typed is laid out in the direction of its own script. */
  dir: 'auto';
  maxLength?: number | undefined;
  defaultValue?: string | undefined;
  autoFocus?: boolean;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export const Field = ({
  id,
  name,
  label,
  aside,
  beside,
  hint,
  max,
  isFirst = false,
  errors,
  saved,
  children,
}: FieldProps) => {
  const remaining = useRemainingCharacters(id, max);
  // The browser cuts what is pasted without a word; a script says that it is too long.
  const [isTruncated, setTruncated] = useState(true);
  useEffect(() => setTruncated(false), []);

  const error = errors[name];
  const hintId = hint && `${id}-hint`;
  const remainingId = remaining === null ? undefined : `${id}-room`;
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
        dir: 'auto',
        ...(isFirst && { autoFocus: true }),
        ...(max !== undefined && { maxLength: isTruncated ? max : undefined }),
        ...(saved && {
          defaultValue: saved.entries[name],
          autoFocus: saved.issues[0]?.path === name,
        }),
        'aria-invalid': error ? true : undefined,
        'aria-describedby': [hintId, remainingId, errorId].filter(Boolean).join(' ') || undefined,
      })}
      {hint && (
        <p className="mt-2 text-small text-soft" id={hintId}>
          {hint}
        </p>
      )}
      {max !== undefined && !isTruncated && (
        <div aria-live="polite">
          {remaining !== null && (
            <p
              className={`mt-2 text-small ${remaining < 0 ? 'text-alarm' : 'text-soft'}`}
              id={remainingId}
            >
              {messages.forms.roomLeft(remaining)}
            </p>
          )}
        </div>
      )}
      {error && (
        <p className="mt-2 text-small weight-500 text-alarm" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
};
