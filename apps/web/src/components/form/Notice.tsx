import type { ReactNode } from 'react';

export interface NoticeText {
  tone: 'good' | 'amber' | 'alarm';
  title: string;
  description?: string;
  /** Below the description. */
  aside?: string;
  link?: { href: string; label: string };
}

export const noticeLooks = {
  good: 'notice',
  amber: 'notice notice-amber',
  alarm: 'notice notice-alarm',
};

interface NoticeProps extends Omit<NoticeText, 'title'> {
  title: ReactNode;
  /** The fragment the API redirects to without scripts: the notice shows at /contact#sent only. */
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
