import { Notice, type NoticeText } from './Notice.tsx';

export interface TargetNoticesProps {
  /** Hides the notices, which are outdated after a submit. */
  submitted: boolean;
  /** Keyed by the URL fragment to which the API redirects without JavaScript. */
  targets: Readonly<Record<string, NoticeText>>;
}

export const TargetNotices = ({ submitted, targets }: TargetNoticesProps) =>
  !submitted &&
  Object.entries(targets).map(([target, text]) => (
    <Notice key={target} {...text} target={target} />
  ));
