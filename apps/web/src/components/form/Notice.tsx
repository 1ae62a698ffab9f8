import type { ReactNode } from 'react';

export interface NoticeText {
  tone: 'success' | 'warning' | 'danger';
  title: string;
  description?: string;
  aside?: string;
  /** Opens a new tab if the page has unsaved text. */
  link?: { href: string; label: string; isInNewTab?: boolean };
}

export const noticeLooks = {
  success: 'notice',
  warning: 'notice notice-warning',
  danger: 'notice notice-danger',
};

interface NoticeProps extends Omit<NoticeText, 'title'> {
  title: ReactNode;
  /**
   * The fragment to which the API redirects without JavaScript. The notice is shown only at that
   * URL, such as /contact#sent.
   */
  target?: string;
  /** Omits the role, because the surrounding live region already announces the notice. */
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
    {/* The padding enlarges the target (WCAG 2.5.5). */}
    <a
      className="link -my-2.5 inline-block py-2.5"
      href={href}
      {...(isInNewTab && { target: '_blank', rel: 'noopener' })}
    >
      {label}
    </a>
  </p>
);
