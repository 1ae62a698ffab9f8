import type { Post } from '@app/contract/blog/posts';
import type { PageData } from '@app/contract/pages';
import { findPageAccount } from '../accounts/sessions/page-account.ts';
import { mayWrite } from '../accounts/sessions/permissions.ts';
import { findUser } from '../accounts/sessions/session-cookie.ts';
import type { SignedIn } from '../accounts/sessions/sessions.ts';
import type { AppContext } from '../server/context.ts';
import { maxHtmlBytes } from '../server/html-bytes.ts';
import { createMinuteLimit } from '../server/minute-limit.ts';
import type { PersonalPage } from '../server/personal-pages.ts';
import { personalPage } from '../server/rendered-page.ts';
import type { SharedPageKey } from '../server/shared-pages.ts';
import type { Deps } from './deps.ts';
import { createDraftLinks } from './draft-links/draft-links.ts';
import { createDrafts } from './drafts/drafts.ts';
import { markdownPath, postPath, slugOfPath } from './pages/post-paths.ts';
import { findByOldSlug } from './posts/old-slugs.ts';
import { accessTo } from './posts/permissions.ts';
import { createPosts } from './posts/posts.ts';
import { findPublishingStatus } from './publishing/publishing-status.ts';
import { postBody } from './rendering/bodies.ts';

export const postFailed: PageData = { kind: 'noPost', reason: 'failed' };

/** Error pages, because anyone can request any number of posts that do not exist. */
export const sharedPageKey: SharedPageKey = (page) => {
  if (page.kind === 'noPost') return page.reason;
  const isEmptySearch = page.kind === 'search' && page.query === '' && page.found === null;
  return isEmptySearch ? `search:${page.problem}` : undefined;
};

/** Serves drafts, and published posts whose file is missing. */
export function postPage(deps: Deps): PersonalPage {
  const posts = createPosts(deps);

  async function find(c: AppContext): Promise<PageData | Response> {
    const slug = c.req.param('slug') ?? '';
    // Slugs never contain a dot, and the renderer has no page for this path.
    if (slug.endsWith('.md')) return c.notFound();
    const user = await findUser(c, deps);
    const post = posts.findBySlug(slug, user);
    if (post) return (await findPostPage(deps, user, post)) ?? noPost(c);
    const moved = findByOldSlug(deps.db, slug);
    if (!moved || accessTo(deps.settings, moved, user) === 'none') return noPost(c);
    // The post may take back the slug, so browsers must not cache the redirect.
    c.header('Cache-Control', moved.published ? 'no-cache' : 'private, no-store');
    return c.redirect(postPath(moved.slug), 301);
  }

  return { find, failure: postFailed };
}

async function findPostPage(
  deps: Deps,
  user: SignedIn | null,
  post: Post,
): Promise<Extract<PageData, { kind: 'post' }> | null> {
  const found = post.isSample
    ? await deps.bodies.renderFixed(post.content)
    : await deps.bodies.ofPost(post.id);
  if (!found) return null;
  const body = postBody(found);
  // Only users who can fix or delete it see a post that cannot be rendered.
  const isHidden = body.bodyHtml === null && accessTo(deps.settings, post, user) !== 'change';
  if (isHidden) return null;
  return { kind: 'post', post, neighbors: createPosts(deps).neighborsOf(post), ...body };
}

function noPost(c: AppContext): PageData {
  c.set('isMissingPage', true);
  c.status(404);
  return { kind: 'noPost', reason: 'not-found' };
}

/** Per account and minute, counted by `maxHtmlBytes`. Rendering 1 MB takes up to 50 ms. */
const maxEditorBytes = 33_554_432;

export function editorPage(deps: Deps): PersonalPage {
  const posts = createPosts(deps);
  const drafts = createDrafts(deps);
  const links = createDraftLinks(deps);
  const limit = createMinuteLimit(deps, maxEditorBytes);

  async function find(c: AppContext): Promise<PageData | Response> {
    const user = await findUser(c, deps);
    // The spec redirects visitors to the blog.
    if (!user || !mayWrite(deps.settings, user)) return c.redirect('/blog', 303);
    const page = await findEdited(c, user);
    if (page instanceof Response) return page;
    const seconds = limit.take(user.userId, maxHtmlBytes(page));
    if (seconds === 0) {
      // The renderer knows the page of a post by its path.
      if (page.kind !== 'post') return page;
      const account = await findPageAccount(c, deps);
      return personalPage(c, deps, page, { path: postPath(page.post.slug), account });
    }
    c.header('Retry-After', String(seconds));
    c.status(429);
    return { kind: 'noPost', reason: 'too-many' };
  }

  async function findEdited(c: AppContext, user: SignedIn): Promise<PageData | Response> {
    const slug = c.req.param('slug') ?? '';
    const post = posts.findEditable(slug, user);
    if (post?.isSample) return { kind: 'edit', post, draft: null, restored: null };
    // A post of another author is shown instead of its editor.
    if (post && accessTo(deps.settings, post, user) !== 'change') {
      const page = await findPostPage(deps, user, post);
      return page ? { ...page, insteadOfEditor: true } : noPost(c);
    }
    if (post) {
      const draft = drafts.find(user, post.id);
      const status = await findPublishingStatus(deps, post);
      return {
        kind: 'edit',
        post,
        draft: draft && { id: draft.id, updatedAt: draft.updatedAt },
        restored: null,
        links: links.list(post.id),
        ...(status.state === 'pending' && { pendingPaths: status.paths }),
      };
    }
    const draft = drafts.find(user, slug);
    // The draft of a new post, or of one that the user can no longer change.
    if (draft && (draft.postId === null || 'refused' in posts.findToChange(draft.postId, user))) {
      const { id, fields, updatedAt } = draft;
      return { kind: 'edit', post: null, draft: null, restored: { id, updatedAt, fields } };
    }
    const moved = findByOldSlug(deps.db, slug);
    if (moved && accessTo(deps.settings, moved, user) !== 'none') {
      return c.redirect(`/blog/editor/${moved.slug}`, 303);
    }
    c.status(404);
    return { kind: 'edit', post: null, draft: null, restored: null };
  }

  return { find, failure: { kind: 'noPost', reason: 'editor-failed' } };
}

export const oldFeedPage = (): PersonalPage => ({
  find(c) {
    c.header('Cache-Control', 'public, max-age=86400');
    return c.redirect('/blog/rss.xml', 301);
  },
});

/** Serves paths without a file: the slug is an old one, or the page is not published yet. */
export const markdownPage = (deps: Deps): PersonalPage => ({
  async find(c) {
    const { path } = c.req;
    const moved = findByOldSlug(deps.db, slugOfPath(path) ?? '');
    if (moved?.published) {
      // The post may take back the slug, so browsers must not cache the redirect.
      c.header('Cache-Control', 'no-cache');
      return c.redirect(markdownPath(moved.slug), 301);
    }
    const page = await deps.publisher.pages.at(path);
    if (!page || !('text' in page)) return c.notFound();
    return c.body(page.text, 200, {
      'Content-Type': 'text/markdown; charset=utf-8',
      'Cache-Control': 'no-cache',
      'X-Robots-Tag': 'noindex',
    });
  },
});
