import { createHash } from 'node:crypto';
import { design } from 'virtual:card-design';

/**
 * The path changes with the design, because social networks cache images by URL.
 * @param folder see `cardFolderOf`
 */
export const cardPath = (title: string, folder = '/cards'): string => {
  const hash = createHash('sha256').update(`${design}\0${title}`).digest('hex');
  return `${folder}/${hash.slice(0, 24)}.png`;
};
