import { createHash } from 'node:crypto';
import { design } from 'virtual:card-design';

/** The path changes with the design, because social networks cache images by URL. */
export const cardPath = (title: string): string => {
  const hash = createHash('sha256').update(`${design}\0${title}`).digest('hex');
  return `/cards/${hash.slice(0, 24)}.png`;
};
