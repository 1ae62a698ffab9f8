import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * For an element with `tabIndex={-1}`: focuses it when the focused element inside it is removed.
 * Otherwise the next Tab would start at the top of the page (WCAG 2.2, 2.4.3).
 */
export const useFocusFallback = <E extends HTMLElement>(): RefObject<E | null> => {
  const ref = useRef<E>(null);
  const focused = useRef<EventTarget | null>(null);

  useEffect(() => {
    const element = ref.current;
    const remember = ({ target }: FocusEvent) => {
      focused.current = target;
    };
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
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
