import { type BlockPosition, offsetOf } from './block-position.ts';

/** Where the position is shown, as a fraction of the frame's height from the top. */
const level = 1 / 3;

export const scrollToBlock = (frame: Window, position: BlockPosition): void => {
  const body = frame.document.querySelector('.post-body');
  if (!body) return;
  const { children } = body;
  const edgeOf = (index: number) => {
    const { top } = children[index]?.getBoundingClientRect() ?? {};
    return (top ?? body.getBoundingClientRect().bottom) + frame.scrollY;
  };
  const isAtStart = position.block === 0 && position.part === 0;
  const above = frame.innerHeight * level;
  const offset = isAtStart ? 0 : offsetOf(children.length, edgeOf, position) - above;
  frame.scrollTo({ top: offset, behavior: 'instant' });
};
