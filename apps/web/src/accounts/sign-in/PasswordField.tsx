import { limits } from '@app/contract/limits';
import { signInForms } from '@app/site/accounts/sign-in';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Field } from '../../components/form/Field.tsx';
import type { FieldErrors } from '../../components/form/use-form.ts';

interface PasswordFieldProps {
  id: string;
  label?: string;
  errors: FieldErrors;
  isNew?: boolean;
}

/**
 * A password field with a Show button. Hides the password on submit, so that browsers do not save
 * it like other texts. Has no maxlength, which would silently truncate a pasted password.
 */
export const PasswordField = ({
  id,
  label = signInForms.password,
  errors,
  isNew = false,
}: PasswordFieldProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [isShown, setShown] = useState(false);
  const [isCapsLock, setCapsLock] = useState(false);
  const [isHydrated, setHydrated] = useState(false);

  useEffect(() => {
    setHydrated(true);
    const form = input.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);

  // Restores the caret, because changing the type moves it.
  const toggle = () => {
    const element = input.current;
    const caret = element && document.activeElement === element && selectionOf(element);
    flushSync(() => setShown(!isShown));
    if (caret) element.setSelectionRange(...caret);
  };
  const keepFocus = (event: MouseEvent) => event.preventDefault();
  const onKey = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));

  return (
    <Field
      id={id}
      name="password"
      label={label}
      {...(isNew && { hint: signInForms.passwordHint(limits.passwordMin) })}
      errors={errors}
    >
      {(control) => (
        <>
          <div className="relative">
            <input
              {...control}
              ref={input}
              // Hides Edge's own button, which would be under this one.
              className={`${control.className} pr-13 [&::-ms-reveal]:hidden`}
              dir="ltr"
              type={isShown ? 'text' : 'password'}
              required
              minLength={limits.passwordMin}
              autoComplete={isNew ? 'new-password' : 'current-password'}
              autoCapitalize="none"
              spellCheck={false}
              onKeyDown={onKey}
              onKeyUp={onKey}
              onBlur={() => setCapsLock(false)}
            />
            <button
              className="group absolute inset-y-0 right-0 grid w-12 place-items-center rounded-control text-muted-foreground hover:text-foreground focus-visible:-outline-offset-3 aria-pressed:text-foreground"
              type="button"
              hidden={!isHydrated}
              aria-pressed={isShown}
              aria-controls={id}
              onMouseDown={keepFocus}
              onClick={toggle}
            >
              <span className="sr-only">{signInForms.showPassword}</span>
              <svg
                className="w-5.5"
                viewBox="0 0 24 24"
                fill="none"
                stroke="currentColor"
                strokeWidth="1.75"
                strokeLinecap="round"
                strokeLinejoin="round"
                aria-hidden="true"
              >
                <path d="M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12z" />
                <circle cx="12" cy="12" r="3" />
                <path className="hidden group-aria-pressed:block" d="m4 3.500 16 17" />
              </svg>
            </button>
          </div>
          <div aria-live="polite">
            {isCapsLock && <p className="mt-2 text-sm font-medium">{signInForms.capsLock}</p>}
          </div>
        </>
      )}
    </Field>
  );
};

const selectionOf = ({ selectionStart, selectionEnd }: HTMLInputElement) =>
  [selectionStart, selectionEnd] as const;
