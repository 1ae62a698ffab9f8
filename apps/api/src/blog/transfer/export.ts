import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PicturePath } from '@app/contract/blog/pictures';
import type { Database, Transaction } from '@app/db/open';
import { users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { and, asc, count, eq, gt, sql } from 'drizzle-orm';
import type { Progress } from '../../cli/progress.ts';
import type { PictureFiles } from '../pictures/picture-files.ts';
import { isLive } from '../posts/live-posts.ts';
import { oldSlugsOf } from '../posts/old-slugs.ts';
import { exportPicture, findPictures } from './exported-pictures.ts';
import { type ExportedPost, formatPost } from './post-file.ts';

interface Exported {
  posts: number;
  drafts: number;
  pictures: number;
  /** URLs of missing picture files. */
  missing: string[];
}

const rowsAtOnce = 200;

export const canExportTo = (folder: string): boolean =>
  !existsSync(folder) || readdirSync(folder).length === 0;

/**
 * Writes every post that is not in the trash as a Markdown file, all from one snapshot of the
 * database, and then their pictures, which never change. The folder appears when it is complete.
 * @param folder missing or empty
 */
export async function exportPosts(
  db: Database,
  { files, folder }: { files: PictureFiles; folder: string },
  onProgress: Progress,
): Promise<Exported> {
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(join(partial, 'posts'), { recursive: true });
  try {
    const pictures = new Map<string, PicturePath>();
    const exported = db.transaction((tx) => {
      const all = tx.select({ posts: count() }).from(blogPosts).where(isLive).get()?.posts ?? 0;
      const counts = { posts: 0, drafts: 0 };
      for (const post of livePosts(tx)) {
        writeFileSync(join(partial, 'posts', `${post.slug}.md`), formatPost(post));
        for (const picture of findPictures(tx, post)) pictures.set(picture.id, picture);
        counts.posts += 1;
        if (!post.published) counts.drafts += 1;
        onProgress(counts.posts / all);
      }
      return counts;
    });
    let copied = 0;
    const missing: string[] = [];
    for (const picture of pictures.values()) {
      missing.push(...(await exportPicture(picture, { files, folder: partial })));
      copied += 1;
      onProgress(copied / pictures.size);
    }
    renameSync(partial, folder);
    return { ...exported, pictures: copied, missing };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

function* livePosts(tx: Transaction): Generator<ExportedPost> {
  for (let after = ''; ; ) {
    const rows = tx
      .select({
        id: blogPosts.id,
        slug: blogPosts.slug,
        title: blogPosts.title,
        excerpt: blogPosts.excerpt,
        content: blogPosts.content,
        coverImage: blogPosts.coverImage,
        tags: blogPosts.tags,
        published: blogPosts.published,
        scheduledAt: blogPosts.scheduledAt,
        authorEmail: sql<string>`coalesce(${users.email}, ${blogPosts.authorEmail})`,
        createdAt: blogPosts.createdAt,
        updatedAt: blogPosts.updatedAt,
      })
      .from(blogPosts)
      .leftJoin(users, eq(users.id, blogPosts.authorId))
      .where(and(isLive, gt(blogPosts.id, after)))
      .orderBy(asc(blogPosts.id))
      .limit(rowsAtOnce)
      .all();
    for (const row of rows) yield { ...row, oldSlugs: oldSlugsOf(tx, row.id) };
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
