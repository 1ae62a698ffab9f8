import type { ReactNode } from 'react';
import { Notice } from '../../components/form/Notice.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import type { Flash } from './flash-message.ts';

interface FlashMessageProps {
  flash: Flash | null;
  children?: ReactNode;
}

/** Always mounted, because screen readers announce only changes to an existing live region. */
export const FlashMessage = ({ flash, children }: FlashMessageProps) => (
  <div className="*:mt-5" aria-live="polite">
    {flash && <Toast isBrief={flash.notice !== undefined} {...flash.toast} />}
    {flash?.notice && (
      <Notice {...flash.notice} isInLiveRegion>
        {children}
      </Notice>
    )}
  </div>
);
