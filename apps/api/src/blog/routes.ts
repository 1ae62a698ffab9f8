import type { DraftChange } from '@app/contract/blog/drafts';
import type { DraftSharing } from '@app/contract/blog/pages';
import {
  newPost,
  type Post,
  type PostChange,
  type PostDeleted,
  type PostErased,
  type PostRestored,
  type PostSaved,
  type PublishingStatus,
  postChange,
} from '@app/contract/blog/posts';
import {
  type PostLocked,
  postDeleted,
  postErased,
  postList,
  postLocked,
  postRestored,
  postSaved,
  post as postSchema,
  publishingStatus,
} from '@app/contract/blog/replies';
import { readSchedule } from '@app/contract/blog/schedule';
import { tagsText } from '@app/contract/blog/tags';
import type { PageData } from '@app/contract/pages';
import type { ProblemCode } from '@app/contract/problems';
import { Hono } from 'hono';
import { createFactory } from 'hono/factory';
import { signedIn } from '../accounts/sessions/middleware.ts';
import { mayWrite } from '../accounts/sessions/permissions.ts';
import { findUser } from '../accounts/sessions/session-cookie.ts';
import type { SignedIn } from '../accounts/sessions/sessions.ts';
import type { AppContext, AppEnv } from '../server/context.ts';
import { describeEndpoint, queryParameters } from '../server/describe-endpoint.ts';
import { type FormFields, formPost, input, isFormPost } from '../server/input.ts';
import type { PersonalPages } from '../server/personal-pages.ts';
import { problem } from '../server/problem.ts';
import { redirectToSignIn } from '../server/redirect-to-sign-in.ts';
import { postBody } from './bodies.ts';
import type { Deps } from './deps.ts';
import { createDraftLinks, draftLinkPath } from './draft-links/draft-links.ts';
import { newLinkCookie } from './draft-links/new-link-cookie.ts';
import { createDrafts } from './drafts.ts';
import { createHistoryPage } from './history/page.ts';
import { findLock, setLock } from './lock-post.ts';
import { editorOfPost, existingPost, postId, postParameter, writersOnly } from './middleware.ts';
import { findByOldSlug } from './old-slugs.ts';
import { mayRead } from './permissions.ts';
import { markdownPath, oldFeedPath, postPath } from './post-paths.ts';
import { createPosts } from './posts.ts';
import { findPublishingStatus } from './publishing-status.ts';
import { answerRefusal, noSuchPost } from './refusals.ts';
import { restoreDraft } from './restore-draft.ts';
import { createTrash } from './trash.ts';

export const examplePost = {
  title: 'Title',
  content: 'Text',
  slug: 'slug',
  excerpt: '',
  coverImage: '',
  published: true,
};

const refusals: ProblemCode[] = ['not_allowed', 'not_found'];
const writeRefusals: ProblemCode[] = [
  'not_allowed',
  'slug_taken',
  'quota_exceeded',
  'too_many_requests',
];

export function postRoutes(deps: Deps) {
  const posts = createPosts(deps);
  const trash = createTrash(deps);
  const drafts = createDrafts(deps);
  const { createHandlers } = createFactory<AppEnv>();
  const requireUser = signedIn(deps);

  const writer = writersOnly(deps);

  const requirePost = existingPost(posts);

  const remove = createHandlers(
    describeEndpoint({
      summary: 'Delete a post',
      description: 'It can be restored for 30 days.',
      parameters: postId,
      replies: { 200: { description: 'Deleted.', schema: postDeleted } },
      problems: refusals,
    }),
    formPost('/blog'),
    requireUser,
    writer,
    requirePost,
    formPost(editorOfPost),
    async (c) => {
      const removed = await trash.remove(c.var.user, c.var.post.id);
      if ('refused' in removed) return answerRefusal(c, removed);
      return isFormPost(c) ? c.redirect('/blog', 303) : c.json(removed satisfies PostDeleted);
    },
  );

  const lock = (locked: boolean) =>
    createHandlers(
      describeEndpoint({
        summary: locked ? 'Lock a post' : 'Unlock a post',
        description: 'By staff: others cannot change a locked post.',
        parameters: postId,
        replies: { 200: { description: 'Done.', schema: postLocked } },
        problems: refusals,
      }),
      formPost('/blog'),
      requireUser,
      writer,
      requirePost,
      formPost(editorOfPost),
      async (c) => {
        const result = await setLock(deps, c.var.user, c.var.post.id, locked);
        if ('refused' in result) return answerRefusal(c, result);
        return isFormPost(c)
          ? c.redirect(editorOfPost(c), 303)
          : c.json(result satisfies PostLocked);
      },
    );

  return (
    new Hono<AppEnv>()
      .get(
        '/',
        describeEndpoint({
          summary: 'List posts, newest first',
          parameters: queryParameters({
            cursor: 'The `nextCursor` of the previous page.',
            tag: 'The slug of a tag: published posts with it.',
            drafts: '`true` for the drafts of the signed-in user.',
          }),
          replies: { 200: { description: 'A page of the list.', schema: postList } },
          problems: ['invalid_cursor'],
          session: 'optional',
        }),
        async (c) => {
          const { cursor, tag, drafts } = c.req.query();
          const user = drafts === 'true' ? await findUser(c, deps) : null;
          const list =
            tag === undefined
              ? await posts.list(cursor, user?.userId)
              : posts.listTagged(tag, cursor);
          if (list) return c.json(list);
          return problem(
            c,
            'invalid_cursor',
            'Use the nextCursor of the previous page, unchanged.',
          );
        },
      )
      .get(
        '/:post',
        describeEndpoint({
          summary: 'Get a post',
          parameters: [postParameter('Its slug.')],
          replies: { 200: { description: 'The post.', schema: postSchema } },
          problems: ['not_found'],
          session: 'optional',
        }),
        async (c) => {
          const slug = c.req.param('post');
          const post =
            posts.findBySlug(slug, null) ?? posts.findBySlug(slug, await findUser(c, deps));
          return post ? c.json(post) : noSuchPost(c);
        },
      )
      .post(
        '/',
        describeEndpoint({
          summary: 'Create a post',
          replies: { 201: { description: 'Created.', schema: postSaved } },
          problems: writeRefusals,
        }),
        formPost('/blog/editor'),
        requireUser,
        writer,
        input(newPost, { example: examplePost, readForm: readPostForm }),
        async (c) => {
          const saved = await posts.create(c.var.user, c.req.valid('json'));
          return 'refused' in saved ? answerRefusal(c, saved) : answerSaved(c, saved, 201);
        },
      )
      .on(
        // Forms without JavaScript can only POST.
        ['PATCH', 'POST'],
        '/:post',
        describeEndpoint({
          summary: 'Change a post',
          description: 'Absent fields stay as they are. Forms without JavaScript use POST.',
          parameters: postId,
          replies: { 200: { description: 'Changed.', schema: postSaved } },
          problems: [...refusals, ...writeRefusals, 'edit_conflict'],
        }),
        formPost('/blog/editor'),
        requireUser,
        writer,
        requirePost,
        formPost(editorOfPost),
        input(postChange, { example: examplePost, readForm: readPostForm }),
        async (c) => {
          const { user, post } = c.var;
          const change = c.req.valid('json');
          const saved = await posts.update(user, post.id, change);
          const isConflict = 'refused' in saved && saved.refused === 'edit_conflict';
          if (isConflict && isFormPost(c)) {
            const { draft, scheduledAt, ...typed } = change;
            const stored = await drafts.store(user, post.id, asTyped(post, typed));
            // The page then shows the conflict.
            if (!('refused' in stored)) c.set('formPage', `${editorOfPost(c)}?draft=restore`);
          }
          return 'refused' in saved ? answerRefusal(c, saved) : answerSaved(c, saved, 200);
        },
      )
      .get(
        '/:post/publishing',
        describeEndpoint({
          summary: 'Get what readers see of a post',
          description: 'For a save whose pages were pending: whether they are live by now.',
          parameters: postId,
          replies: { 200: { description: 'The state right now.', schema: publishingStatus } },
          problems: refusals,
        }),
        requireUser,
        writer,
        requirePost,
        async (c) =>
          c.json((await findPublishingStatus(deps, c.var.post)) satisfies PublishingStatus),
      )
      .post('/:post/lock', ...lock(true))
      .post('/:post/unlock', ...lock(false))
      .delete('/:post', ...remove)
      // For forms without JavaScript.
      .post('/:post/delete', ...remove)
      .post(
        '/:post/restore',
        describeEndpoint({
          summary: 'Restore a deleted post',
          description: 'Published again if it was, with another slug if its own is in use.',
          parameters: postId,
          replies: { 200: { description: 'Restored.', schema: postRestored } },
          problems: [...refusals, 'quota_exceeded', 'too_many_requests'],
        }),
        formPost('/blog/trash'),
        requireUser,
        writer,
        async (c) => {
          const restored = await trash.restore(c.var.user, c.req.param('post'));
          if ('refused' in restored) return answerRefusal(c, restored);
          if (!isFormPost(c)) return c.json(restored satisfies PostRestored);
          const isRenamed = restored.formerSlug !== undefined;
          const query = `restored=${restored.post.id}${isRenamed ? '&renamed' : ''}`;
          return c.redirect(`/blog/trash?${query}`, 303);
        },
      )
      .post(
        '/:post/delete-forever',
        describeEndpoint({
          summary: 'Delete a post forever',
          description: 'A post in the trash, which cannot be restored then.',
          parameters: postId,
          replies: { 200: { description: 'Deleted.', schema: postErased } },
          problems: refusals,
        }),
        formPost('/blog/trash'),
        requireUser,
        writer,
        async (c) => {
          const erased = await trash.erase(c.var.user, c.req.param('post'));
          if ('refused' in erased) return answerRefusal(c, erased);
          return isFormPost(c)
            ? c.redirect('/blog/trash#erased', 303)
            : c.json(erased satisfies PostErased);
        },
      )
  );
}

export function blogPages(deps: Deps): PersonalPages {
  const posts = createPosts(deps);
  const trash = createTrash(deps);
  const drafts = createDrafts(deps);
  const links = createDraftLinks(deps);
  const newLink = newLinkCookie(deps);

  async function postPage(c: AppContext): Promise<PageData | Response> {
    const slug = c.req.param('slug') ?? '';
    const user = await findUser(c, deps);
    const post = posts.findBySlug(slug, user);
    if (post) return (await postData(user, post)) ?? noPost(c);
    const moved = findByOldSlug(deps.db, slug);
    if (!moved || !mayRead(moved, user)) return noPost(c);
    // Another post may take the slug, so browsers must not cache the redirect.
    c.header('Cache-Control', moved.published ? 'no-cache' : 'private, no-store');
    return c.redirect(postPath(moved.slug), 301);
  }

  async function postData(user: SignedIn | null, post: Post): Promise<PageData | null> {
    const found = post.isSample
      ? await deps.bodies.renderFixed(post.content)
      : await deps.bodies.ofPost(post.id);
    if (!found) return null;
    const body = postBody(found);
    // Only writers see a post that cannot be rendered, so that they can fix or delete it.
    const isHidden = body.bodyHtml === null && !(user && mayWrite(deps.settings, user));
    return isHidden ? null : { kind: 'post', post, neighbors: posts.neighborsOf(post), ...body };
  }

  function noPost(c: AppContext): PageData {
    c.set('isMissingPage', true);
    c.status(404);
    return { kind: 'noPost', reason: 'not-found' };
  }

  async function editorPage(c: AppContext): Promise<PageData | Response> {
    const user = await findUser(c, deps);
    // The spec redirects visitors to the blog.
    if (!user || !mayWrite(deps.settings, user)) return c.redirect('/blog', 303);
    const slug = c.req.param('slug') ?? '';
    const post = posts.findEditable(slug, user);
    if (post?.isSample) return { kind: 'edit', post, draft: null, restored: null };
    if (post) {
      const status = await findPublishingStatus(deps, post);
      return {
        ...(await editedPost(c, user, post)),
        sharing: sharingOf(c, post),
        ...(status.state === 'pending' && { pendingPaths: status.paths }),
      };
    }
    const draft = drafts.find(user, slug);
    // Of a new post.
    if (draft?.postId === null) {
      const { id, fields, updatedAt } = draft;
      const restored = { id, updatedAt, fields, conflict: null };
      return { kind: 'edit', post: null, draft: null, restored };
    }
    const moved = findByOldSlug(deps.db, slug);
    if (moved && mayRead(moved, user)) {
      const { search } = new URL(c.req.url);
      return c.redirect(`/blog/editor/${moved.slug}${search}`, 303);
    }
    c.status(404);
    return { kind: 'edit', post: null, draft: null, restored: null };
  }

  function sharingOf(c: AppContext, { id }: Post): DraftSharing {
    const all = links.list(id);
    const created = newLink.take(c, all);
    const url = created && deps.settings.publicUrl + draftLinkPath(created.token);
    return { links: all, created: created && url !== null ? { id: created.id, url } : null };
  }

  async function editedPost(
    c: AppContext,
    user: SignedIn,
    post: Post,
  ): Promise<Extract<PageData, { kind: 'edit' }>> {
    const draft = drafts.find(user, post.id);
    const access = { lock: findLock(deps.db, post.id), isStaff: user.role === 'staff' };
    if (!draft) return { kind: 'edit', post, draft, restored: null, access };
    if (c.req.query('draft') === 'restore') {
      const restored = await restoreDraft(deps.db, post, draft, c.req.query());
      return { kind: 'edit', post, draft: null, restored, access };
    }
    const { id, updatedAt } = draft;
    return { kind: 'edit', post, draft: { id, updatedAt }, restored: null, access };
  }

  function oldFeed(c: AppContext): Response {
    c.header('Cache-Control', 'public, max-age=86400');
    return c.redirect('/blog/rss.xml', 301);
  }

  /** Its file is missing: the slug is an old one, or the page is not published yet. */
  async function markdownPage(c: AppContext): Promise<Response> {
    const page = await deps.publisher.pages.at(c.req.path);
    switch (page?.data.kind) {
      case 'movedMarkdown':
        // Another post may take the slug, so browsers must not cache the redirect.
        c.header('Cache-Control', 'no-cache');
        return c.redirect(markdownPath(page.data.to), 301);
      case 'postMarkdown': {
        const { bytes } = await deps.renderer.render(c.req.path, page.data);
        return c.body(bytes.toString(), 200, {
          'Content-Type': 'text/markdown; charset=utf-8',
          'Cache-Control': 'no-cache',
          'X-Robots-Tag': 'noindex',
        });
      }
      default:
        return c.notFound();
    }
  }

  async function trashPage(c: AppContext): Promise<PageData | Response> {
    const user = await findUser(c, deps);
    if (!user) return redirectToSignIn(c, '/blog/trash');
    if (!mayWrite(deps.settings, user)) return c.redirect('/blog', 303);
    const list = trash.list(user, c.req.query('cursor'));
    if (!list) return c.redirect('/blog/trash', 303);
    const post = posts.findById(c.req.query('restored') ?? '', user);
    const isRenamed = c.req.query('renamed') !== undefined;
    const { title = '', slug = '', published = false } = post ?? {};
    return {
      kind: 'trash',
      ...list,
      restored: post ? { title, slug, published, isRenamed } : null,
    };
  }

  return {
    [oldFeedPath]: { find: oldFeed },
    '/blog/:file{[a-z0-9_-]+[.]md}': { find: markdownPage },
    '/blog/trash': { find: trashPage },
    '/blog/:slug': { find: postPage, failure: failure('failed') },
    '/blog/editor/:slug/history': { find: createHistoryPage(deps), failure: failure('failed') },
    '/blog/editor/:slug': { find: editorPage, failure: failure('editor-failed') },
  };
}

const failure = (reason: 'failed' | 'editor-failed'): PageData => ({ kind: 'noPost', reason });

function answerSaved(c: AppContext, saved: PostSaved, status: 200 | 201): Response {
  if (!isFormPost(c)) return c.json(saved, status);
  const { slug } = saved.post;
  if (saved.merged) return c.redirect(`/blog/editor/${slug}#merged`, 303);
  // Its page says why, and whether it still is when it is reloaded.
  const isPending = saved.publishing.state === 'pending' && saved.publishing.pages.length > 0;
  return c.redirect(isPending ? `/blog/editor/${slug}` : `/blog/${slug}`, 303);
}

/** A change that could not be saved, as unsaved text. */
const asTyped = (
  post: Post,
  { coverImage = post.coverImage, tags, ...change }: Omit<PostChange, 'draft' | 'scheduledAt'>,
): DraftChange => {
  const { title, slug, excerpt, content, published } = post;
  return {
    ...{ title, slug, excerpt, content, published },
    ...change,
    coverImage: coverImage ?? '',
    tags: tags?.join(', ') ?? tagsText(post.tags),
  };
};

/** A form omits an unchecked box. With it checked, the post is published now. */
const readPostForm = ({
  published,
  scheduledAt,
  scheduledBefore,
  timeZone,
  ...texts
}: FormFields) => ({
  ...texts,
  published: published === 'true',
  ...(published !== 'true' && readSchedule({ scheduledAt, scheduledBefore, timeZone })),
});
