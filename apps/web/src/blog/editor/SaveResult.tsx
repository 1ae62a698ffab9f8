import { accountMessages } from '@app/contract/accounts/messages';
import { FormResult } from '../../components/form/FormResult.tsx';
import { Notice } from '../../components/form/Notice.tsx';
import { merged, type SaveFailure, saveFailed } from './save-outcome.ts';

interface SaveResultProps {
  submitted: boolean;
  failure: SaveFailure | null;
}

export const SaveResult = ({ submitted, failure }: SaveResultProps) => (
  <FormResult submitted={submitted} targets={{ merged, failed: saveFailed }}>
    {failure && (
      <Notice {...failure}>
        {failure.isSignedOut && (
          <p>
            {/* In a new tab, to keep the text. */}
            <a className="link" href="/auth" target="_blank" rel="noopener">
              {accountMessages.signedOut.link}
            </a>
          </p>
        )}
      </Notice>
    )}
  </FormResult>
);
