import type { ReactNode } from 'react';

export interface NoticeText {
  tone: 'good' | 'amber' | 'alarm';
  title: string;
  description?: string;
}

export const noticeLooks = {
  good: 'notice',
  amber: 'notice notice-amber',
  alarm: 'notice notice-alarm',
};

interface NoticeProps extends NoticeText {
  /**
   * The fragment the API leads to when the form was sent without a script: then
   * the notice is part of the page and shows at /contact#sent only.
   */
  target?: string;
  children?: ReactNode;
}

export const Notice = ({ tone, title, description, target, children }: NoticeProps) => (
  <div
    className={target ? `${noticeLooks[tone]} notice-at-target` : noticeLooks[tone]}
    id={target}
    role={tone === 'alarm' ? 'alert' : 'status'}
  >
    <p className="weight-600">{title}</p>
    {description && <p>{description}</p>}
    {children}
  </div>
);
