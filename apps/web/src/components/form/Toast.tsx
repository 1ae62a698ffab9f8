import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { floatToast } from '../float-toast.ts';
import { NoticeLink, type NoticeText, noticeLooks } from './Notice.tsx';

interface ToastProps extends NoticeText {
  id?: string | undefined;
  /** Disappears instead of settling, because the page shows the same text elsewhere. */
  isBrief?: boolean;
  children?: ReactNode;
}

/**
 * Floats over the page, then settles into the form. It remains the same element, so that the
 * surrounding live region announces it once. While a modal is open, it must be inside the modal.
 */
export const Toast = ({
  id,
  tone,
  title,
  description,
  aside,
  link,
  isBrief = false,
  children,
}: ToastProps) => {
  const ref = useRef<HTMLDivElement>(null);
  const [isUp, setUp] = useState(true);

  useLayoutEffect(() => {
    const toast = ref.current;
    if (!toast) return;
    const settle = () => setUp(false);
    return floatToast(toast, {
      onEnd: settle,
      onDismiss: () => {
        settle();
        toast.focus({ preventScroll: true });
      },
    });
  }, []);

  if (isBrief && !isUp) return null;
  return (
    <div ref={ref} className={`${noticeLooks[tone]} toast`} tabIndex={-1}>
      <div id={id}>
        <p className="font-semibold">{title}</p>
        {description && <p>{description}</p>}
      </div>
      {aside && <p className="mt-2">{aside}</p>}
      {link && <NoticeLink {...link} />}
      {children}
    </div>
  );
};
