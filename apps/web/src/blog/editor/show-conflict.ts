import type { Post } from '@app/contract/blog/posts';
import type { EditConflict } from '@app/contract/edit-conflict';
import type { DraftSync } from '../../unsaved/draft-sync.ts';
import { navigateTo } from './navigate-to.ts';

/**
 * Stores the text, and navigates to the page that compares it with the text that was saved
 * meanwhile.
 * @returns whether the browser has left this page
 */
export const showConflict = async (
  post: Post,
  { version }: EditConflict,
  sync: DraftSync | null,
): Promise<boolean> => {
  // The newer text that holds this one back may be the draft that another device has just saved.
  await sync?.releaseIfGone();
  await sync?.flush();
  if (!sync || sync.isUnsent()) return false;
  // The version makes the URL different from that of an earlier conflict, because browsers do not
  // reload a page if only the fragment is new.
  return navigateTo(`/blog/editor/${post.slug}?draft=restore&onto=${version}#edit-conflict`);
};
