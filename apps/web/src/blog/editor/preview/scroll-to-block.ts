import { type BlockPosition, offsetOf } from './block-position.ts';

/** From the top of the frame, in parts of its height: where the eye looks for it. */
const level = 1 / 3;

/** Scrolls the frame to the part of the post that is being written. */
export const scrollToBlock = (frame: Window, position: BlockPosition): void => {
  const body = frame.document.querySelector('.post-body');
  if (!body) return;
  const top = (element: Element) => element.getBoundingClientRect().top + frame.scrollY;
  const starts = [...body.children].map(top);
  const end = body.getBoundingClientRect().bottom + frame.scrollY;
  const isAtStart = position.block === 0 && position.part === 0;
  const offset = isAtStart ? 0 : offsetOf(starts, end, position) - frame.innerHeight * level;
  frame.scrollTo({ top: offset, behavior: 'instant' });
};
