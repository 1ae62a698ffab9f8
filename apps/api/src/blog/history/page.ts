import type { RevisionComparison } from '@app/contract/blog/pages';
import { type Post, writtenExcerpt } from '@app/contract/blog/posts';
import {
  type RevisionPart,
  type RevisionTexts,
  revisionParts,
} from '@app/contract/blog/revision-replies';
import type { PageData } from '@app/contract/pages';
import { history } from '@app/site/blog/history';
import { mayWrite } from '../../accounts/sessions/permissions.ts';
import { findUser } from '../../accounts/sessions/session-cookie.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { createAccountThread } from '../../server/account-thread.ts';
import type { AppContext } from '../../server/context.ts';
import { programFile } from '../../server/process-pool.ts';
import type { Deps } from '../deps.ts';
import { findByOldSlug } from '../posts/old-slugs.ts';
import { accessTo } from '../posts/permissions.ts';
import { createPosts } from '../posts/posts.ts';
import {
  findNewestVersion,
  findRevisionBefore,
  findRevisionTexts,
  listRevisions,
} from './stored-revisions.ts';

type Texts = Pick<RevisionTexts, RevisionPart>;

export function createHistoryPage(deps: Deps) {
  const { db, settings } = deps;
  const posts = createPosts(deps);
  const compare = createAccountThread<readonly [string, string][], string[]>(
    programFile('compare-worker', import.meta),
  );

  return async (c: AppContext): Promise<PageData | Response> => {
    const slug = c.req.param('slug') ?? '';
    const postEditor = `/blog/editor/${slug}`;
    const { search } = new URL(c.req.url);
    const user = await findUser(c, deps);
    if (!user || !mayWrite(settings, user)) return c.redirect('/blog', 303);
    const post = posts.findBySlug(slug, user);
    if (post && !post.isSample) {
      // That page says why the user cannot see the history.
      if (accessTo(settings, post, user) !== 'change') return c.redirect(postEditor, 303);
      const cursor = c.req.query('cursor');
      const list = listRevisions(db, post, user, cursor);
      if (!list) return c.redirect(`${postEditor}/history`, 303);
      const { id, title, version } = post;
      const newest = findNewestVersion(db, id) ?? version;
      const chosen = await findChosen(c, post, user, newest);
      return {
        kind: 'history',
        post: { id, slug, title, version },
        newest,
        cursor: cursor ?? null,
        ...list,
        chosen,
      };
    }
    const moved = findByOldSlug(db, slug);
    if (moved && accessTo(settings, moved, user) !== 'none') {
      return c.redirect(`/blog/editor/${moved.slug}/history${search}`, 303);
    }
    c.status(404);
    return { kind: 'noPost', reason: 'not-found' };
  };

  async function findChosen(
    c: AppContext,
    post: Post,
    user: SignedIn,
    newest: number,
  ): Promise<RevisionComparison | null> {
    const version = Number(c.req.query('version'));
    if (!Number.isSafeInteger(version)) return null;
    const revision = findRevisionTexts(db, post.id, version, user);
    if (!revision) return null;
    const isWithCurrent = c.req.query('with') === 'current' && version !== newest;
    const before = isWithCurrent ? undefined : findRevisionBefore(db, post.id, version, user);
    const tags = post.tags.map(({ name }) => name);
    const current = { ...post, tags, savedAt: post.updatedAt };
    const [older, newer] = isWithCurrent ? [revision, current] : [before, revision];
    const other = isWithCurrent ? current : before;
    return {
      revision: { ...revision, changed: null },
      with: isWithCurrent ? 'current' : 'before',
      other: other ? { version: other.version, savedAt: other.savedAt } : null,
      parts: await comparisonOf(user, older, newer),
    };
  }

  async function comparisonOf(
    { userId }: SignedIn,
    older: Texts | undefined,
    newer: Texts,
  ): Promise<RevisionComparison['parts']> {
    const shown = revisionParts.filter((part) =>
      older ? textOf(older, part) !== textOf(newer, part) : textOf(newer, part) !== '',
    );
    const pairs = shown.map((part): [string, string] => {
      const after = textOf(newer, part);
      return [older ? textOf(older, part) : after, after];
    });
    const compared = await compare(userId, pairs);
    return compared && shown.map((part, index) => ({ part, html: compared[index] ?? '' }));
  }
}

function textOf(texts: Texts, part: RevisionPart): string {
  if (part === 'published') return history.comparison.state(texts.published);
  if (part === 'excerpt') return writtenExcerpt(texts);
  return part === 'tags' ? texts.tags.join(', ') : (texts[part] ?? '');
}
