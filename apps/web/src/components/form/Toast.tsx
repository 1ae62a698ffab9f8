import { labels } from '@app/site/forms/labels';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { afterTimeShown } from '../after-time-shown.ts';
import { NoticeLink, type NoticeText, noticeLooks } from './Notice.tsx';

interface ToastProps extends NoticeText {
  id?: string | undefined;
  /** Disappears instead of settling, when the page shows the same text. */
  isBrief?: boolean;
  children?: ReactNode;
}

/** In milliseconds. */
const duration = 10_000;

/** Settles the current toast: only one floats at a time. */
let settleLast: (() => void) | undefined;

/**
 * Floats over the page, then settles into the form. It stays one element, so the surrounding live
 * region announces it once. While a modal is open, it must be inside.
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
    const settle = () => setUp(false);
    settleLast?.();
    settleLast = settle;
    ref.current?.showPopover?.();
    return () => {
      if (settleLast === settle) settleLast = undefined;
    };
  }, []);

  useEffect(() => {
    if (!isUp || !ref.current) return;
    return afterTimeShown(ref.current, duration, () => setUp(false));
  }, [isUp]);

  const dismiss = () => {
    setUp(false);
    ref.current?.focus({ preventScroll: true });
  };

  if (isBrief && !isUp) return null;
  return (
    <div
      ref={ref}
      className={`${noticeLooks[tone]} toast`}
      popover={isUp ? 'manual' : undefined}
      tabIndex={-1}
    >
      <div id={id}>
        <p className="font-semibold">{title}</p>
        {description && <p>{description}</p>}
      </div>
      {aside && <p className="mt-2">{aside}</p>}
      {link && <NoticeLink {...link} />}
      {children}
      {isUp && (
        <button
          className="toast-dismiss"
          type="button"
          aria-label={labels.dismiss}
          onClick={dismiss}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="m3 3 10 10M13 3 3 13" />
          </svg>
        </button>
      )}
    </div>
  );
};
