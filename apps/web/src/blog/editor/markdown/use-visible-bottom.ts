import { type RefObject, useEffect } from 'react';

/**
 * Sets `--visible-bottom` of an element to the lower edge of what can be seen, in the coordinates
 * of fixed elements. An on-screen keyboard covers the page below it (`interactive-widget`, which
 * would make it shrink the page, is unknown to Safari).
 */
export const useVisibleBottom = (element: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const { visualViewport } = window;
    if (!visualViewport) return;
    const update = () => {
      const { offsetTop, height } = visualViewport;
      element.current?.style.setProperty('--visible-bottom', `${offsetTop + height}px`);
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
