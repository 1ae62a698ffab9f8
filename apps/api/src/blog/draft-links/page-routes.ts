import { blogMessages } from '@app/contract/blog/messages';
import type { Post } from '@app/contract/blog/posts';
import { minute } from '@app/contract/durations';
import type { PageData } from '@app/contract/pages';
import type { MiddlewareHandler } from 'hono';
import { toIso } from '../../clock.ts';
import { clientAddress } from '../../server/client-address.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import type { PersonalPage } from '../../server/personal-pages.ts';
import { tooManyRequests } from '../../server/rate-limits/middleware.ts';
import type { RateLimit } from '../../server/rate-limits/rate-limits.ts';
import { setPagePolicy } from '../../server/security-headers.ts';
import type { Deps } from '../deps.ts';
import { postPath } from '../pages/post-paths.ts';
import { toPost } from '../posts/post-row.ts';
import { answerRefusal } from '../refusals.ts';
import { postBody } from '../rendering/bodies.ts';
import { renderingBusy } from '../rendering/body-renderer.ts';
import { createDraftLinks } from './draft-links.ts';

const opened: RateLimit = { name: 'draft-links', max: 60, milliseconds: minute };

/** Renders that may wait per link, in addition to the one in progress. */
const maxWaiting = 2;

/** Set on every response, including the 404, because the URL is a secret. */
export const draftLinkHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.header('X-Robots-Tag', 'noindex');
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cache-Control', 'no-store');
};

export function draftLinkPage(deps: Deps): PersonalPage {
  const { bodies, renderer, rateLimits } = deps;
  const links = createDraftLinks(deps);

  async function find(c: AppContext): Promise<Response | PageData> {
    const address = clientAddress(c, deps);
    const taken = address === null ? null : await rateLimits.takeForRead(opened, address);
    if (taken?.allowed === false) {
      return tooManyRequests(c, taken.retryAfterSeconds, blogMessages.draftLinks.tooOften);
    }
    const found = links.find(c.req.param('token') ?? '');
    if (!found) return deadLink(c);
    const { id, expiresAt, revision } = found;
    const post = toPost(found.post);
    if (post.published && !revision) return c.redirect(postPath(post.slug), 303);
    const body = revision
      ? await bodies.render(revision.content, id, maxWaiting)
      : await bodies.ofPost(post.id);
    if (body === renderingBusy) return answerRefusal(c, { refused: 'busy' });
    if (!body || 'problem' in body) return deadLink(c);
    return show(c, {
      kind: 'draftLink',
      post: revision ? asOf(revision, post) : post,
      ...postBody(body),
      expiresAt: toIso(expiresAt),
      pinnedTo: revision && toIso(revision.createdAt),
    });
  }

  /** The page is the same for every reason, because a reason would reveal what was shared. */
  function deadLink(c: AppContext): PageData {
    c.set('isMissingPage', true);
    c.status(404);
    return { kind: 'noPost', reason: 'dead-link' };
  }

  async function show(c: AppContext, page: PageData): Promise<Response> {
    // The path of the request contains the secret token.
    const { bytes } = await renderer.render('/blog/draft/token', page);
    setPagePolicy(c);
    return c.html(bytes.toString());
  }

  return { find };
}

const asOf = (
  {
    createdAt,
    ...texts
  }: Pick<Post, 'title' | 'slug' | 'excerpt' | 'coverImage' | 'tags' | 'content'> & {
    createdAt: number;
  },
  post: Post,
): Post => ({
  ...post,
  ...texts,
  updatedAt: toIso(createdAt),
  published: false,
});
