import { type PostPreviewed, postPreview } from '@app/contract/blog/posts';
import { postPreviewed } from '@app/contract/blog/replies';
import { Hono } from 'hono';
import { signedIn } from '../../accounts/sessions/middleware.ts';
import type { AppEnv } from '../../server/context.ts';
import { describeEndpoint, notModified } from '../../server/describe-endpoint.ts';
import { input } from '../../server/input.ts';
import { htmlType } from '../../server/rendered-page.ts';
import { sharedBody } from '../../server/shared-body.ts';
import type { Deps } from '../deps.ts';
import { limitPerMinute, writersOnly } from '../middleware.ts';
import { createPosts } from '../posts/posts.ts';
import { answerRefusal } from '../refusals.ts';
import { createPreview } from './preview.ts';

/** More than one for every pause in typing. */
const maxPerMinute = 600;

export function previewRoutes(deps: Deps) {
  const posts = createPosts(deps);
  const renderPreview = createPreview(deps);
  return new Hono<AppEnv>().post(
    '/',
    describeEndpoint({
      summary: 'Preview a post',
      description: 'Renders the page that readers would get, and stores nothing.',
      replies: { 200: { description: 'The page.', schema: postPreviewed } },
      problems: ['not_allowed', 'not_found'],
    }),
    signedIn(deps),
    writersOnly(deps),
    limitPerMinute(deps, maxPerMinute),
    input(postPreview, { example: { title: 'Title', content: 'Text' } }),
    async (c) => {
      const { user } = c.var;
      const written = c.req.valid('json');
      const stored = written.post ? posts.findToChange(written.post, user) : undefined;
      if (stored && 'refused' in stored) return answerRefusal(c, stored);
      const preview = await renderPreview(user, stored, written);
      if ('refused' in preview) return answerRefusal(c, preview);
      return c.json(preview satisfies PostPreviewed);
    },
  );
}

/** Links open in new tabs, outside the sandbox. Scripts and forms do not work. */
const framePolicy = [
  'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  "script-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/**
 * The empty document in which the editor shows previews. A frame without a URL would inherit the
 * editor's policy, which blocks the styles of other pages. Each preview contains its page's policy.
 */
export function previewFrameRoutes() {
  const frame = sharedBody(htmlType, () => '<!doctype html><title>Preview</title>', {
    'Content-Security-Policy': framePolicy,
  });
  return new Hono<AppEnv>().get(
    '/',
    describeEndpoint({
      summary: 'Get the preview frame',
      description: 'An empty page without scripts, used only by the editor.',
      replies: { 200: { description: 'The page.', contentType: 'text/html' }, ...notModified },
      session: 'optional',
    }),
    frame,
  );
}
