import { Notice, type NoticeText } from '../../components/form/Notice.tsx';
import type { FieldErrors } from '../../components/form/use-form.ts';
import { fieldIds } from './field-ids.ts';
import { saveFailed } from './save-outcome.ts';

interface SaveResultProps {
  submitted: boolean;
  failure: NoticeText | null;
  errors: FieldErrors;
}

/** Explains why the text was not saved, unless a field shows the reason. */
export const SaveResult = ({ submitted, failure, errors }: SaveResultProps) => (
  <div className="*:mt-5" aria-live="polite" data-outcome>
    {submitted &&
      Object.entries(errors)
        .filter(([name]) => !(name in fieldIds))
        .map(([name, message]) => (
          <Notice
            key={name}
            {...saveFailed}
            description={`${name} ${message}`.trim()}
            isInLiveRegion
          />
        ))}
    {failure && <Notice {...failure} isInLiveRegion />}
  </div>
);
