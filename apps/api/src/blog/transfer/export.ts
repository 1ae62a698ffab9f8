import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Transaction } from '@app/db/open';
import { users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { and, asc, count, eq, gt, sql } from 'drizzle-orm';
import type { Progress } from '../../cli/progress.ts';
import { isLive } from '../posts/live-posts.ts';
import { oldSlugsOf } from '../posts/old-slugs.ts';
import { exportPictures } from './exported-pictures.ts';
import { type ExportedPost, formatPost } from './post-file.ts';

interface Exported {
  posts: number;
  drafts: number;
  pictures: number;
}

const rowsAtOnce = 200;

export const canExportTo = (folder: string): boolean =>
  !existsSync(folder) || readdirSync(folder).length === 0;

/**
 * Writes every post that is not in the trash as a Markdown file, with its pictures, all of one
 * moment. The folder
 * appears when it is complete.
 * @param folder missing or empty
 */
export function exportPosts(
  db: Database,
  { dataDir, folder }: { dataDir: string; folder: string },
  onProgress: Progress,
): Exported {
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(join(partial, 'posts'), { recursive: true });
  try {
    const exported = db.transaction((tx) => {
      const all = tx.select({ posts: count() }).from(blogPosts).where(isLive).get()?.posts ?? 0;
      const counts: Exported = { posts: 0, drafts: 0, pictures: 0 };
      for (const post of livePosts(tx)) {
        writeFileSync(join(partial, 'posts', `${post.slug}.md`), formatPost(post));
        counts.pictures += exportPictures(tx, post, { dataDir, folder: partial });
        counts.posts += 1;
        if (!post.published) counts.drafts += 1;
        onProgress(counts.posts / all);
      }
      return counts;
    });
    renameSync(partial, folder);
    return exported;
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
