import { accountMessages } from '@app/contract/accounts/messages';
import { useEffect, useState } from 'react';
import { Toast } from '../../components/form/Toast.tsx';

/** The fragment to which the API redirects, where a notice has the reason, too. */
export const googleFailed = 'google-failed';

/** After a failed sign-in with Google (spec §8). */
export const GoogleFailedToast = () => {
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(location.hash === `#${googleFailed}`), []);
  return (
    <div aria-live="polite">
      {isShown && <Toast isBrief tone="danger" title={accountMessages.google.failed} />}
    </div>
  );
};
