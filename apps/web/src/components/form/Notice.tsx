import type { ReactNode } from 'react';

export interface NoticeText {
  tone: 'good' | 'amber' | 'alarm';
  title: string;
  description?: string;
  /** Said below it. */
  aside?: string;
  /** Leads to what can be done about it. */
  link?: { href: string; label: string };
}

export const noticeLooks = {
  good: 'notice',
  amber: 'notice notice-amber',
  alarm: 'notice notice-alarm',
};

interface NoticeProps extends Omit<NoticeText, 'title'> {
  title: ReactNode;
  /**
   * The fragment the API leads to when the form was sent without a script: then
   * the notice is part of the page and shows at /contact#sent only.
   */
  target?: string;
  children?: ReactNode;
}

export const Notice = ({
  tone,
  title,
  description,
  aside,
  link,
  target,
  children,
}: NoticeProps) => (
  <div
    className={target ? `${noticeLooks[tone]} notice-at-target` : noticeLooks[tone]}
    id={target}
    role={tone === 'alarm' ? 'alert' : 'status'}
  >
    <p className="weight-600">{title}</p>
    {description && <p>{description}</p>}
    {aside && <p className="mt-2">{aside}</p>}
    {link && <NoticeLink {...link} />}
    {children}
  </div>
);

export const NoticeLink = ({ href, label }: NonNullable<NoticeText['link']>) => (
  <p className="mt-2">
    <a className="link" href={href}>
      {label}
    </a>
  </p>
);
