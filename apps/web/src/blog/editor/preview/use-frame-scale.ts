import { type RefObject, useEffect } from 'react';

/**
 * Lays out a frame at a device's width, and scales it down to the width of its parent.
 */
export const useFrameScale = (
  frame: RefObject<HTMLElement | null>,
  width: number,
  isShown: boolean,
): void => {
  useEffect(() => {
    const element = frame.current;
    const parent = element?.parentElement;
    if (!isShown || !element || !parent) return;
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = parent;
      const scale = Math.min(1, clientWidth / width);
      element.style.setProperty('width', `${width}px`);
      element.style.setProperty('height', `${clientHeight / scale}px`);
      element.style.setProperty('transform', `scale(${scale})`);
      element.style.setProperty('margin-inline-start', `${(clientWidth - width * scale) / 2}px`);
    });
    observer.observe(parent);
    return () => observer.disconnect();
  }, [frame, width, isShown]);
};
