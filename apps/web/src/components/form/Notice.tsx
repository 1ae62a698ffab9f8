import type { ReactNode } from 'react';

export interface NoticeText {
  tone: 'success' | 'warning' | 'danger';
  title: string;
  description?: string;
  aside?: string;
  /** In a new tab if the page has text that is nowhere else. */
  link?: { href: string; label: string; isInNewTab?: boolean };
}

export const noticeLooks = {
  success: 'notice',
  warning: 'notice notice-warning',
  danger: 'notice notice-danger',
};

interface NoticeProps extends Omit<NoticeText, 'title'> {
  title: ReactNode;
  /** The fragment the API redirects to without scripts: the notice shows at /contact#sent only. */
  target?: string;
  /** The live region around it announces it. With a role of its own, it would be announced twice. */
  isInLiveRegion?: boolean;
  children?: ReactNode;
}

export const Notice = ({
  tone,
  title,
  description,
  aside,
  link,
  target,
  isInLiveRegion = false,
  children,
}: NoticeProps) => (
  <div
    className={target ? `${noticeLooks[tone]} not-target:hidden` : noticeLooks[tone]}
    id={target}
    role={isInLiveRegion ? undefined : tone === 'danger' ? 'alert' : 'status'}
  >
    <p className="font-semibold">{title}</p>
    {description && <p>{description}</p>}
    {aside && <p className="mt-2">{aside}</p>}
    {link && <NoticeLink {...link} />}
    {children}
  </div>
);

export const NoticeLink = ({ href, label, isInNewTab }: NonNullable<NoticeText['link']>) => (
  <p className="mt-2">
    {/* Target size (WCAG 2.5.5). */}
    <a
      className="link -my-2.5 inline-block py-2.5"
      href={href}
      {...(isInNewTab && { target: '_blank', rel: 'noopener' })}
    >
      {label}
    </a>
  </p>
);
