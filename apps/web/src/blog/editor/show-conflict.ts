import type { Post } from '@app/contract/blog/posts';
import type { Outcome } from '../../components/form/use-form-action.ts';
import type { DraftSync } from '../unsaved/draft-sync.ts';
import type { SaveFailure } from './save-outcome.ts';

/** The form stays busy until the browser has left. The back/forward cache may restore it. */
export const untilLeft = (): Promise<object> =>
  new Promise((left) => addEventListener('pagehide', () => left({}), { once: true }));

/**
 * Stores the text, and asks for the page that shows it beside the text that another author saved.
 * @returns null if it could not be stored
 */
export const showConflict = async (
  post: Post | undefined,
  sync: DraftSync | null,
): Promise<Outcome<SaveFailure> | null> => {
  await sync?.flush();
  if (!post || !sync || sync.isUnsent()) return null;
  location.assign(`/blog/editor/${post.slug}?draft=restore#edit-conflict`);
  return untilLeft();
};
