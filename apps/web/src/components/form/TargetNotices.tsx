import { Notice, type NoticeText } from './Notice.tsx';

export interface TargetNoticesProps {
  /** Hides the notices, which are out of date after a submit. */
  submitted: boolean;
  /** By the URL fragment that the API redirects to without scripts. */
  targets: Readonly<Record<string, NoticeText>>;
}

export const TargetNotices = ({ submitted, targets }: TargetNoticesProps) =>
  !submitted &&
  Object.entries(targets).map(([target, text]) => (
    <Notice key={target} {...text} target={target} />
  ));
