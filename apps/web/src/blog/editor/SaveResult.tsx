import { accountMessages } from '@app/contract/accounts/messages';
import { FormResult } from '../../components/form/FormResult.tsx';
import { Notice } from '../../components/form/Notice.tsx';
import type { FieldErrors } from '../../components/form/use-form.ts';
import { fieldIds } from './field-ids.ts';
import { merged, type SaveFailure, saveFailed } from './save-outcome.ts';

interface SaveResultProps {
  submitted: boolean;
  failure: SaveFailure | null;
  errors: FieldErrors;
}

/** Explains why the text was not saved, unless a field shows the reason. */
export const SaveResult = ({ submitted, failure, errors }: SaveResultProps) => (
  <FormResult submitted={submitted} targets={{ merged, failed: saveFailed }}>
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
    {failure && (
      <Notice {...failure} isInLiveRegion>
        {failure.isSignedOut && (
          <p>
            {/* A new tab, so that the text is not lost. */}
            <a className="link" href="/auth" target="_blank" rel="noopener">
              {accountMessages.signedOut.link}
            </a>
          </p>
        )}
      </Notice>
    )}
  </FormResult>
);
