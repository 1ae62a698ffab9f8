import type { ReactNode } from 'react';
import { Notice, type NoticeText } from './Notice.tsx';

interface FormResultProps {
  /** Hides the notice of the URL's fragment, which is out of date after a submit. */
  submitted: boolean;
  /** Notices by the fragment the API redirects to without scripts. */
  targets: Readonly<Record<string, NoticeText>>;
  /** The result with scripts. */
  children?: ReactNode;
}

/** The result of a form. Stays mounted when empty: screen readers announce changes to an existing live region. */
export const FormResult = ({ submitted, targets, children }: FormResultProps) => (
  <div className="*:mt-5" aria-live="polite">
    {children}
    {!submitted &&
      Object.entries(targets).map(([target, text]) => (
        <Notice key={target} {...text} target={target} />
      ))}
  </div>
);
