import { type RefObject, useEffect } from 'react';

/**
 * Sets two custom properties of an element, for pages whose bottom an on-screen keyboard covers.
 * (`interactive-widget`, which would shrink the page instead, is not supported by Safari.)
 * - `--visible-bottom`: the lower edge of the visible area, in the coordinates of fixed elements
 * - `--covered-bottom`: the height of the covered area below it
 */
export const useVisibleBottom = (element: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const { visualViewport } = window;
    if (!visualViewport) return;
    const update = () => {
      const bottom = visualViewport.offsetTop + visualViewport.height;
      const covered = Math.max(0, document.documentElement.clientHeight - bottom);
      element.current?.style.setProperty('--visible-bottom', `${bottom}px`);
      element.current?.style.setProperty('--covered-bottom', `${covered}px`);
    };
    update();
    visualViewport.addEventListener('resize', update);
    visualViewport.addEventListener('scroll', update);
    return () => {
      visualViewport.removeEventListener('resize', update);
      visualViewport.removeEventListener('scroll', update);
    };
  }, [element]);
};
