import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * For an element with `tabIndex={-1}`: it gets the focus when what had it inside is removed, which
 * would leave it to the body, at the beginning of the page (WCAG 2.2, 2.4.3).
 */
export const useFocusFallback = <E extends HTMLElement>(): RefObject<E | null> => {
  const ref = useRef<E>(null);
  const focused = useRef<EventTarget | null>(null);

  useEffect(() => {
    const element = ref.current;
    const note = ({ target }: FocusEvent) => {
      focused.current = target;
    };
    element?.addEventListener('focusin', note);
    return () => element?.removeEventListener('focusin', note);
  }, []);

  useLayoutEffect(() => {
    const { current } = focused;
    if (document.activeElement !== document.body) return;
    if (!(current instanceof Element) || current.isConnected) return;
    focused.current = null;
    ref.current?.focus({ preventScroll: true });
  });

  return ref;
};
