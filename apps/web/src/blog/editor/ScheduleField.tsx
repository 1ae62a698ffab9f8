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
  errors: FieldErrors;
}

/**
 * The time at which a draft will be published, in the browser's time zone (UTC until hydration).
 * Hidden while the switch in the same `group/publishing` is on.
 */
export const ScheduleField = ({ scheduledAt, chosen, errors }: ScheduleFieldProps) => {
  const time = useRef<HTMLInputElement>(null);
  const shown = chosen === undefined ? scheduledAt : chosen;
  const [timeZone, setTimeZone] = useState('UTC');

  useLayoutEffect(() => {
    const browsers = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!time.current || localTimeOf(0, browsers) === '') return;
    // Converts the current value, which may have been typed before hydration.
    const typed = timeOfLocal(time.current.value, 'UTC');
    if (typed !== null) time.current.value = localTimeOf(typed, browsers);
    setTimeZone(browsers);
  }, []);

  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-4 group-has-[[name=published]:checked]/publishing:hidden">
      {scheduledAt !== null && <input type="hidden" name="scheduledBefore" value={scheduledAt} />}
      <input type="hidden" name="timeZone" value={timeZone} />
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
            defaultValue={localTextOf(shown, 'UTC')}
          />
        )}
      </Field>
    </div>
  );
};
