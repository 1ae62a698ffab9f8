import type { InputIssue } from '@app/contract/problems';
import { type InputEvent, type SubmitEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as v from 'valibot';

/** The first thing wrong with each field, by the field's name. */
export type FieldErrors = Readonly<Record<string, string>>;

interface FormOptions<Schema extends v.GenericSchema> {
  /** The contract's schema, the same that the API parses with. */
  schema: Schema;
  /** Takes away what came of the last time: it would stand beside what comes of this one. */
  clear: () => void;
  /** Sends what was filled in; answers what is wrong with single fields, if anything is. */
  send: (value: v.InferOutput<Schema>, form: HTMLFormElement) => Promise<readonly InputIssue[]>;
  /** What the schema is to see of the fields, where that is not simply their texts. */
  read?: (fields: FormData) => unknown;
  /** What is already known to be wrong when the page is drawn. */
  issues?: readonly InputIssue[];
}

/**
 * Takes over a form that works without it. Its inputs stay uncontrolled, so that
 * nothing typed before is lost; its errors are shown at the fields, and the first
 * field with one gets the focus.
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
  // The second click of a double click comes before the button is drawn as disabled.
  const isBusy = useRef(false);

  // The browser's own bubbles serve those without a script; here the texts of the contract do.
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
    // A button that is disabled loses the focus, and with it the place on the page.
    else if (document.activeElement === document.body && pressed instanceof HTMLElement) {
      pressed.focus({ preventScroll: true });
    }
  };

  // A field that is being mended no longer needs telling.
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
