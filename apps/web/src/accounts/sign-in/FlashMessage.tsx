import type { ReactNode } from 'react';
import { Notice } from '../../components/form/Notice.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import type { Said } from './flash-message.ts';

interface SaidHereProps {
  said: Said | null;
  /** Stands in the notice: what to do about it. */
  children?: ReactNode;
}

/** What came of a form, below it. It stays on the page for screen readers to listen to. */
export const SaidHere = ({ said, children }: SaidHereProps) => (
  <div className="outcome" aria-live="polite">
    {said && <Toast isBrief={said.notice !== undefined} {...said.toast} />}
    {said?.notice && <Notice {...said.notice}>{children}</Notice>}
  </div>
);
