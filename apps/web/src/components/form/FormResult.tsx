import type { ReactNode } from 'react';
import { TargetNotices, type TargetNoticesProps } from './TargetNotices.tsx';

interface FormResultProps extends TargetNoticesProps {
  children?: ReactNode;
}

/**
 * Always mounted, because screen readers announce only changes to an existing live region. A notice
 * is scrolled to together with the fields above it.
 */
export const FormResult = ({ children, ...notices }: FormResultProps) => (
  <div className="*:mt-5 *:scroll-mt-[min(20rem,50vh)]" aria-live="polite" data-outcome>
    {children}
    <TargetNotices {...notices} />
  </div>
);
