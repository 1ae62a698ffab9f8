import { type BlockPosition, offsetOf } from './block-position.ts';

/** From the top of the frame, in parts of its height: where the eye looks for it. */
const level = 1 / 3;

/** Scrolls the frame to the part of the post that is being written. */
export const scrollToBlock = (frame: Window, position: BlockPosition): void => {
  const body = frame.document.querySelector('.post-body');
  if (!body) return;
  const { children } = body;
  const edgeOf = (index: number) => {
    const { top } = children[index]?.getBoundingClientRect() ?? {};
    return (top ?? body.getBoundingClientRect().bottom) + frame.scrollY;
  };
  const isAtStart = position.block === 0 && position.part === 0;
  const middle = frame.innerHeight * level;
  const offset = isAtStart ? 0 : offsetOf(children.length, edgeOf, position) - middle;
  frame.scrollTo({ top: offset, behavior: 'instant' });
};
