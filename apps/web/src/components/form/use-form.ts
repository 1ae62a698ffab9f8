import type { InputIssue } from '@app/contract/problems';
import { type InputEvent, type SubmitEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as v from 'valibot';

/** The first error of each field, by its name. */
export type FieldErrors = Readonly<Record<string, string>>;

interface FormOptions<Schema extends v.GenericSchema> {
  /** From the contract, as used by the API. */
  schema: Schema;
  /** Clears the previous result. */
  clear: () => void;
  /** @returns errors of single fields */
  send: (value: v.InferOutput<Schema>, form: HTMLFormElement) => Promise<readonly InputIssue[]>;
  /** Converts the fields for the schema; by default their texts. */
  read?: (fields: FormData) => unknown;
  /** Errors known at render time. */
  issues?: readonly InputIssue[];
}

/**
 * Enhances a form that works without scripts. Inputs stay uncontrolled to keep text typed before
 * hydration. Focuses the first field with an error.
 */
export const useForm = <Schema extends v.GenericSchema>({
  schema,
  clear,
  send,
  read = Object.fromEntries,
  issues: knownIssues = [],
}: FormOptions<Schema>) => {
  const ref = useRef<HTMLFormElement>(null);
  const [submitted, setSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>(() => byField(knownIssues));
  // A double click's second click comes before the button is disabled.
  const isBusy = useRef(false);

  // The contract's messages replace the browser's validation.
  useLayoutEffect(() => {
    if (ref.current) ref.current.noValidate = true;
  }, []);

  const show = (form: HTMLFormElement, issues: readonly InputIssue[]) => {
    flushSync(() => setErrors(byField(issues)));
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy.current) return;
    setSubmitted(true);
    clear();
    const form = event.currentTarget;
    const pressed = document.activeElement;
    const parsed = v.safeParse(schema, read(new FormData(form)), { abortPipeEarly: true });
    if (!parsed.success) {
      show(form, parsed.issues.map(toIssue));
      return;
    }
    setErrors({});
    isBusy.current = true;
    setBusy(true);
    let issues: readonly InputIssue[];
    try {
      issues = await send(parsed.output, form);
    } finally {
      isBusy.current = false;
      flushSync(() => setBusy(false));
    }
    if (issues.length > 0) show(form, issues);
    // A disabled button loses the focus.
    else if (document.activeElement === document.body && pressed instanceof HTMLElement) {
      pressed.focus({ preventScroll: true });
    }
  };

  const forget = (name: string) => setErrors(({ [name]: _, ...others }) => others);
  const onInput = (event: InputEvent<HTMLFormElement>) => {
    const { name } = event.target as Partial<HTMLInputElement>;
    if (name) forget(name);
  };

  return { submitted, busy, errors, forget, attributes: { ref, onSubmit, onInput } };
};

const toIssue = (issue: v.BaseIssue<unknown>): InputIssue => ({
  path: v.getDotPath(issue) ?? '',
  message: issue.message,
});

const byField = (issues: readonly InputIssue[]): FieldErrors => {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) errors[path] ??= message;
  return errors;
};
