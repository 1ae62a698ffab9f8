import { messages } from '@app/contract/messages';
import { type ReactNode, useEffect, useState } from 'react';
import type { SavedEntries } from './saved-entries.ts';
import type { FieldErrors } from './use-form.ts';
import { useRemainingCharacters } from './use-remaining-characters.ts';

interface FieldProps {
  /** Unique on the page. Also the prefix of the ids of the hint and the error. */
  id: string;
  name: string;
  label: string;
  aside?: string;
  beside?: ReactNode;
  hint?: string;
  hintClassName?: string;
  /** The result of a check. Changes are announced. Hidden while there is an error. */
  status?: FieldStatus | null;
  /** In characters. The number left is shown when the field is nearly full. */
  max?: number;
  /** Whether a dialog opens with the focus here instead of on its first control. */
  autoFocus?: boolean;
  errors: FieldErrors;
  saved?: SavedEntries | undefined;
  children: (attributes: ControlAttributes) => ReactNode;
}

export interface FieldStatus {
  text: string;
  isProblem?: boolean;
}

interface ControlAttributes {
  id: string;
  name: string;
  className: string;
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
  hintClassName = '',
  status,
  max,
  autoFocus = false,
  errors,
  saved,
  children,
}: FieldProps) => {
  const remaining = useRemainingCharacters(id, max);
  // maxLength silently truncates pasted text. With JavaScript, an error is shown instead.
  const [isTruncated, setTruncated] = useState(true);
  useEffect(() => setTruncated(false), []);

  const error = errors[name];
  const hintId = hint && `${id}-hint`;
  const remainingId = remaining === null ? undefined : `${id}-room`;
  const errorId = error && `${id}-error`;
  const shownStatus = error ? null : status;
  const statusId = shownStatus ? `${id}-status` : undefined;

  return (
    <div>
      <div className="mb-1.5 flex flex-wrap items-end justify-between gap-x-6">
        <label className="font-semibold" htmlFor={id}>
          {label}
          {aside && <span className="font-normal text-muted-foreground"> {aside}</span>}
        </label>
        {beside}
      </div>
      {children({
        id,
        name,
        className: 'input',
        dir: 'auto',
        ...(autoFocus && { autoFocus }),
        ...(max !== undefined && { maxLength: isTruncated ? max : undefined }),
        ...(saved && {
          defaultValue: saved.entries[name],
          autoFocus: saved.issues[0]?.path === name,
        }),
        'aria-invalid': error ? true : undefined,
        'aria-describedby':
          [hintId, remainingId, statusId, errorId].filter(Boolean).join(' ') || undefined,
      })}
      {hint && (
        <p className={`mt-2 text-sm text-muted-foreground ${hintClassName}`} id={hintId}>
          {hint}
        </p>
      )}
      {status !== undefined && (
        <div aria-live="polite">
          {shownStatus && (
            <p
              className={`mt-2 text-sm ${shownStatus.isProblem ? 'font-medium text-danger' : ''}`}
              id={statusId}
            >
              {shownStatus.text}
            </p>
          )}
        </div>
      )}
      {max !== undefined && !isTruncated && (
        <div aria-live="polite">
          {remaining !== null && (
            <p
              className={`mt-2 text-sm ${remaining < 0 ? 'text-danger' : 'text-muted-foreground'}`}
              id={remainingId}
            >
              {messages.forms.charactersLeft(remaining)}
            </p>
          )}
        </div>
      )}
      {error && (
        <p className="mt-2 text-sm font-medium text-danger" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
};
