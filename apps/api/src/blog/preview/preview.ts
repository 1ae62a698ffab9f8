import {
  coverOrNull,
  excerptOf,
  isSlug,
  type Post,
  type PostPreview,
  slugOf,
} from '@app/contract/blog/posts';
import { validTagNames } from '@app/contract/blog/tags';
import { findAuthorProfile, toAuthor } from '../../accounts/profile/author.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { toIso } from '../../clock.ts';
import type { Deps } from '../deps.ts';
import { postPath } from '../pages/post-paths.ts';
import { createNeighbors } from '../posts/neighbors.ts';
import { createFirstNames, toTags } from '../posts/tags.ts';
import type { PostRefusal } from '../posts/writing-access.ts';
import { postBody } from '../rendering/bodies.ts';
import { renderingBusy } from '../rendering/body-renderer.ts';

/** Per account, in addition to the one in progress. Previews are rendered even after an abort. */
const maxWaiting = 2;

/** The slug while neither the slug nor the title is usable. */
const untitled = 'untitled';

/** Renders unsaved text as the page that readers would get. Stores nothing. */
export function createPreview({
  bodies,
  renderer,
  db,
  clock,
}: Pick<Deps, 'bodies' | 'renderer' | 'db' | 'clock'>) {
  const neighborsOf = createNeighbors(db);
  const firstNames = createFirstNames(db);

  return async (
    user: SignedIn,
    stored: Post | undefined,
    written: PostPreview,
  ): Promise<{ html: string } | PostRefusal> => {
    const body = await bodies.render(written.content, user.userId, maxWaiting);
    if (body === renderingBusy) return { refused: 'busy' };
    if ('problem' in body) return { refused: 'content', problem: body.problem };
    const now = toIso(clock.now());
    const slug = [written.slug.trim(), slugOf(written.title), stored?.slug].find(
      (text) => text !== undefined && isSlug(text),
    );
    const post: Post = {
      id: stored?.id ?? '',
      version: (stored?.version ?? 0) + 1,
      authorId: stored?.authorId ?? user.userId,
      author: stored?.author ?? toAuthor(findAuthorProfile(db, user.userId)),
      createdAt: stored?.createdAt ?? now,
      updatedAt: now,
      scheduledAt: null,
      droppedSchedule: null,
      slug: slug ?? untitled,
      title: written.title,
      content: written.content,
      excerpt: written.excerpt.trim() || excerptOf(written.content),
      coverImage: coverOrNull(written.coverImage),
      tags: firstNames(stored?.id ?? '', await toTags(db, validTagNames(written.tags))),
      published: true,
    };
    const { bytes } = await renderer.render(postPath(post.slug), {
      kind: 'post',
      post,
      neighbors: neighborsOf({ id: post.id, createdAt: Date.parse(post.createdAt) }),
      ...postBody(body),
    });
    return { html: bytes.toString() };
  };
}
