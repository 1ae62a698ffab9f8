import type { ReactNode } from 'react';
import { Notice, type NoticeText } from './Notice.tsx';

interface OutcomeProps {
  /** Whether the form was sent from here; then the notices of the address are old news. */
  tried: boolean;
  /** What the API may lead to when the form is sent without a script, by the fragment of the address. */
  targets: Readonly<Record<string, NoticeText>>;
  /** What came of it here. */
  children?: ReactNode;
}

/** What came of a form, sent with a script or without. It stays on the page for screen readers to listen to. */
export const Outcome = ({ tried, targets, children }: OutcomeProps) => (
  <div className="outcome" aria-live="polite">
    {children}
    {!tried &&
      Object.entries(targets).map(([target, text]) => (
        <Notice key={target} {...text} target={target} />
      ))}
  </div>
);
