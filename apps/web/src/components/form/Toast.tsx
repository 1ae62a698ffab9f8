import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NoticeLink, type NoticeText, noticeLooks } from './Notice.tsx';

interface ToastProps extends NoticeText {
  /** Of its text, for a field that is described by it. */
  id?: string | undefined;
  /** Whether the page says it beside the toast too: then it goes, instead of settling. */
  isBrief?: boolean;
  children?: ReactNode;
}

/** How long it lies over the page, in milliseconds. */
const duration = 10_000;

/** Takes the toast that is up to its place: there is one at a time on a page. */
let settleLast: (() => void) | undefined;

/**
 * What came of a form, as a toast: it lies over the page for a while, then settles at the place
 * where it stands in the form, so that nobody has to be quick to read it. It is one element all
 * the while, and the live region around it says it once. In an open dialog it is part of the
 * dialog, because all else is inert then. A browser that knows no popovers shows it settled.
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
  const [isPaused, setPaused] = useState(false);

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
    if (!isUp || isPaused) return;
    const timer = setTimeout(() => setUp(false), duration);
    return () => clearTimeout(timer);
  }, [isUp, isPaused]);

  const dismiss = () => {
    setUp(false);
    ref.current?.focus({ preventScroll: true });
  };
  const pause = () => setPaused(true);
  const release = () => setPaused(false);

  if (isBrief && !isUp) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it does nothing but stay while somebody is at it
    <div
      ref={ref}
      className={`${noticeLooks[tone]} toast`}
      popover={isUp ? 'manual' : undefined}
      tabIndex={-1}
      onPointerEnter={pause}
      onPointerLeave={release}
      onFocus={pause}
      onBlur={release}
    >
      <div id={id}>
        <p className="weight-600">{title}</p>
        {description && <p>{description}</p>}
      </div>
      {aside && <p className="mt-2">{aside}</p>}
      {link && <NoticeLink {...link} />}
      {children}
      {isUp && (
        <button className="toast-dismiss" type="button" aria-label="Dismiss" onClick={dismiss}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="m3 3 10 10M13 3 3 13" />
          </svg>
        </button>
      )}
    </div>
  );
};
