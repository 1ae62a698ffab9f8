import type { ReactNode } from 'react';
import { Notice, type NoticeText } from './Notice.tsx';

interface FormResultProps {
  /** Whether the form was sent from here; then the notices of the address are old news. */
  submitted: boolean;
  /** What the API may lead to when the form is sent without a script, by the fragment of the address. */
  targets: Readonly<Record<string, NoticeText>>;
  /** What came of it here. */
  children?: ReactNode;
}

/** What came of a form, sent with a script or without. It stays on the page for screen readers to listen to. */
export const FormResult = ({ submitted, targets, children }: FormResultProps) => (
  <div className="outcome" aria-live="polite">
    {children}
    {!submitted &&
      Object.entries(targets).map(([target, text]) => (
        <Notice key={target} {...text} target={target} />
      ))}
  </div>
);
