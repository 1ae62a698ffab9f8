import { type RefObject, useEffect } from 'react';

/**
 * Lays a frame out at a device's width, and shrinks it to the width of its parent. Sets the
 * properties that the classes of the frame use.
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
