import type { InputIssue } from '@app/contract/problems';
import { type InputEvent, useLayoutEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { type Outcome, useFormAction } from './use-form-action.ts';

export type FieldErrors = Readonly<Record<string, string>>;

export interface FormOptions<Schema extends v.GenericSchema, Result> {
  schema: Schema;
  send: (value: v.InferOutput<Schema>, form: HTMLFormElement) => Promise<Outcome<Result>>;
  /** Converts the fields for the schema. The default is an object of their texts. */
  read?: (fields: FormData) => unknown;
  /** Called before the fields are read. */
  prepare?: () => Promise<unknown> | undefined;
  /** Called before the first field with an error is focused. */
  onIssues?: (issues: readonly InputIssue[]) => void;
  issues?: readonly InputIssue[];
  /** Shown if `send` throws. */
  unexpected?: Result;
}

/**
 * Enhances a form that works without JavaScript. Inputs are uncontrolled, to keep text typed before
 * hydration. Focuses the first field with an error.
 */
export const useForm = <Schema extends v.GenericSchema, Result>({
  schema,
  send,
  read = Object.fromEntries,
  prepare,
  onIssues,
  issues: knownIssues = [],
  unexpected,
}: FormOptions<Schema, Result>) => {
  const ref = useRef<HTMLFormElement>(null);
  const [corrected, setCorrected] = useState<readonly string[]>([]);

  const { last, onSubmit, ...form } = useFormAction<Result>(async (element) => {
    // Part of the transition, so it takes effect together with the new errors.
    setCorrected([]);
    await prepare?.();
    const parsed = v.safeParse(schema, read(new FormData(element)), { abortPipeEarly: true });
    const outcome: Outcome<Result> = parsed.success
      ? await send(parsed.output, element)
      : { issues: parsed.issues.map(toIssue) };
    if (outcome.issues) onIssues?.(outcome.issues);
    return outcome;
  }, unexpected);

  // Tells other scripts that React handles the form.
  useLayoutEffect(() => {
    if (ref.current) ref.current.dataset['enhanced'] = '';
  }, []);

  useLayoutEffect(() => {
    if (last?.issues) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [last]);

  const forget = (name: string) =>
    setCorrected((names) => (names.includes(name) ? names : [...names, name]));
  const onInput = (event: InputEvent<HTMLFormElement>) => {
    const { name } = event.target as Partial<HTMLInputElement>;
    if (name) forget(name);
  };

  const errors: Record<string, string> = {};
  for (const { path, message } of (last ? last.issues : knownIssues) ?? []) {
    if (!corrected.includes(path)) errors[path] ??= message;
  }
  // The contract's messages replace the browser's validation. Without JavaScript, the API sends them.
  const attributes = { ref, onSubmit, onInput, noValidate: true };
  return { ...form, errors: errors as FieldErrors, forget, attributes };
};

const toIssue = (issue: v.BaseIssue<unknown>): InputIssue => ({
  path: v.getDotPath(issue) ?? '',
  message: issue.message,
});
