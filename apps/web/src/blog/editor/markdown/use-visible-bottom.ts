import { type RefObject, useEffect } from 'react';

/**
 * Sets two properties of an element. An on-screen keyboard covers the page below the first
 * (`interactive-widget`, which would make it shrink the page, is unknown to Safari).
 * - `--visible-bottom`: the lower edge of what can be seen, in the coordinates of fixed elements
 * - `--covered-bottom`: how much of the window is covered below it
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
