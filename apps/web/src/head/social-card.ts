import { createHash } from 'node:crypto';
import { design } from 'virtual:card-design';

/**
 * The path of a title's card. Social sites cache a picture by its URL, so the path changes with
 * the design.
 */
export const cardPath = (title: string): string => {
  const hash = createHash('sha256').update(`${design}\0${title}`).digest('hex');
  return `/cards/${hash.slice(0, 24)}.png`;
};
