import { blogDraftLinks } from '@app/db/schema/blog';
import { eq } from 'drizzle-orm';
import type { UserData } from '../../accounts/profile/user-data.ts';
import type { Deps } from '../deps.ts';
import { deleteTrashedPicturesOf } from '../pictures/trashed-pictures.ts';
import { detachPosts } from '../writing/detach-posts.ts';
import { exportedFields } from './exported-fields.ts';
import { exportedFiles } from './exported-files.ts';

export function userData(deps: Pick<Deps, 'db' | 'clock' | 'pictures'>): UserData {
  const { pictures } = deps;
  return {
    exportFields: (db, { userId }) => exportedFields(db, userId),
    exportFiles: (db, userId) => exportedFiles(db, pictures, userId),
    close: (tx, userId) => tx.delete(blogDraftLinks).where(eq(blogDraftLinks.userId, userId)).run(),
    async *detach(deletion) {
      yield* detachPosts(deps, deletion);
      await pictures.detach(deletion.userId);
    },
    delete(tx, userId) {
      const trashed = deleteTrashedPicturesOf(tx, userId);
      return () => pictures.removeTrashed(trashed);
    },
  };
}
