import { localTimeOf, timeOfLocal } from '@app/contract/blog/schedule';
import { editor } from '@app/site/blog/editor';
import { useLayoutEffect, useRef, useState } from 'react';
import { Field } from '../../components/form/Field.tsx';
import type { FieldErrors } from '../../components/form/use-form.ts';

interface ScheduleFieldProps {
  /** ISO 8601 in UTC. */
  scheduledAt: string | null;
  errors: FieldErrors;
}

/**
 * When a draft is published: in the browser's time zone, without scripts in one that the user
 * enters. Hidden while the switch, in the same `group/publishing`, says that it is published.
 */
export const ScheduleField = ({ scheduledAt, errors }: ScheduleFieldProps) => {
  const time = useRef<HTMLInputElement>(null);
  const [timeZone, setTimeZone] = useState('UTC');

  useLayoutEffect(() => {
    const browsers = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!time.current || localTimeOf(0, browsers) === '') return;
    // The page has it in UTC, also what was entered until now.
    const entered = timeOfLocal(time.current.value, 'UTC');
    if (entered !== null) time.current.value = localTimeOf(entered, browsers);
    setTimeZone(browsers);
  }, []);

  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-4 group-has-[[name=published]:checked]/publishing:hidden">
      {scheduledAt !== null && <input type="hidden" name="scheduledBefore" value={scheduledAt} />}
      <Field
        id="post-schedule"
        name="scheduledAt"
        label={editor.publishAt}
        aside={timeZone.replaceAll('_', ' ')}
        errors={errors}
      >
        {(control) => (
          <input
            {...control}
            ref={time}
            type="datetime-local"
            defaultValue={scheduledAt === null ? '' : localTimeOf(Date.parse(scheduledAt), 'UTC')}
          />
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
