import { createHash } from 'node:crypto';
import { design } from 'virtual:card-design';

/**
 * Where a title's card lies. Social sites keep a picture for as long as its address stays, so
 * the address changes with what the card shows.
 */
export const cardPath = (title: string): string => {
  const hash = createHash('sha256').update(`${design}\0${title}`).digest('hex');
  return `/cards/${hash.slice(0, 24)}.png`;
};
