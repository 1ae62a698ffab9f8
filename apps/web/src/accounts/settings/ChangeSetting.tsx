import { type ReactNode, use, useRef } from 'react';
import type * as v from 'valibot';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import { type FieldErrors, useForm } from '../../components/form/use-form.ts';
import { callWhenReady } from '../../http/call-when-ready.ts';
import { type Flash, flashAfterFailure } from '../sign-in/flash-message.ts';
import { ReauthenticationContext } from './reauthentication.ts';
import { Setting } from './Setting.tsx';

interface ChangeSettingProps<Schema extends v.GenericSchema> {
  id: string;
  heading: string;
  current: ReactNode;
  change: string;
  submit: string;
  busySubmit: string;
  action: string;
  method: 'POST' | 'PUT';
  schema: Schema;
  read?: (fields: FormData) => unknown;
  changed: NoticeText;
  failed: NoticeText;
  /** Notices, keyed by the fragment to which the API redirects without JavaScript. */
  targets: Readonly<Record<string, NoticeText>>;
  /** Initially. */
  isOpen?: boolean;
  onChanged?: () => void;
  children: (errors: FieldErrors) => ReactNode;
}

export const ChangeSetting = <Schema extends v.GenericSchema>({
  id,
  heading,
  current,
  change,
  submit,
  busySubmit,
  action,
  method,
  schema,
  read = Object.fromEntries,
  changed,
  failed,
  targets,
  isOpen = false,
  onChanged,
  children,
}: ChangeSettingProps<Schema>) => {
  const { isAsking, askIfRequired } = use(ReauthenticationContext);
  const details = useRef<HTMLDetailsElement>(null);
  const { submitted, result, errors, attributes } = useForm<Schema, Flash>({
    schema,
    read,
    send: async (value, form) => {
      const reply = await callWhenReady(method, action, value as object);
      if (!reply.ok) {
        askIfRequired(reply, form);
        return flashAfterFailure(reply, { title: failed.title, isTyped: true });
      }
      form.reset();
      if (details.current) details.current.open = false;
      onChanged?.();
      return { result: { toast: changed } };
    },
  });

  return (
    <Setting id={id} heading={heading}>
      {current}
      <details ref={details} className="mt-4" open={isOpen}>
        <summary className="button button-outline button-sm w-fit">{change}</summary>
        <form {...attributes} action={action} method="post" className="mt-5 grid gap-5">
          {children(errors)}
          <SubmitButton className="button justify-self-start" busyLabel={busySubmit}>
            {submit}
          </SubmitButton>
        </form>
      </details>
      <FormResult submitted={submitted} targets={targets}>
        {result && !isAsking && <Toast {...result.toast} />}
      </FormResult>
    </Setting>
  );
};
