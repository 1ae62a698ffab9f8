import type { RefusedSave } from '@app/contract/blog/pages';
import { localTextOf, localTimeOf, timeOfLocal } from '@app/contract/blog/schedule';
import { editor } from '@app/site/blog/editor';
import { useLayoutEffect, useRef, useState } from 'react';
import { Field } from '../../components/form/Field.tsx';
import type { FieldErrors } from '../../components/form/use-form.ts';

interface ScheduleFieldProps {
  /** ISO 8601 in UTC. */
  scheduledAt: string | null;
  /** From unsaved text, overrides `scheduledAt`. Undefined if not changed there. */
  chosen: string | null | undefined;
  /** From a rejected form without JavaScript. */
  entered: RefusedSave['schedule'] | undefined;
  errors: FieldErrors;
}

/**
 * The time at which a draft will be published, in the browser's time zone, or without JavaScript in
 * one that the user enters. Hidden while the switch in the same `group/publishing` is on.
 */
export const ScheduleField = ({ scheduledAt, chosen, entered, errors }: ScheduleFieldProps) => {
  const time = useRef<HTMLInputElement>(null);
  const before = entered?.scheduledBefore ?? scheduledAt ?? '';
  const shown = chosen === undefined ? scheduledAt : chosen;
  const initial = entered?.scheduledAt ?? localTextOf(shown, 'UTC');
  const initialZone = entered?.timeZone ?? 'UTC';
  const [timeZone, setTimeZone] = useState(initialZone);

  useLayoutEffect(() => {
    const browsers = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!time.current || localTimeOf(0, browsers) === '') return;
    // Converts the current value, which may have been typed before hydration.
    const typed = timeOfLocal(time.current.value, initialZone);
    if (typed !== null) time.current.value = localTimeOf(typed, browsers);
    setTimeZone(browsers);
  }, [initialZone]);

  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-4 group-has-[[name=published]:checked]/publishing:hidden">
      {before && <input type="hidden" name="scheduledBefore" value={before} />}
      <Field
        id="post-schedule"
        name="scheduledAt"
        label={editor.publishAt}
        aside={timeZone.replaceAll('_', ' ')}
        errors={errors}
      >
        {(control) => (
          <input {...control} ref={time} type="datetime-local" defaultValue={initial} />
        )}
      </Field>
      <div className="hidden noscript:block">
        <Field id="post-time-zone" name="timeZone" label={editor.timeZone} errors={errors}>
          {(control) => <input {...control} key={timeZone} defaultValue={timeZone} />}
        </Field>
      </div>
    </div>
  );
};
