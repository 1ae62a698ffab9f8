import type { SamplePost } from '@app/contract/blog/posts';
import type { SubmissionForm } from '@app/contract/forms/submit';
import type { PageData } from '@app/contract/pages';
import { Hono } from 'hono';
import { profilePage } from '../accounts/profile/profile.ts';
import { isRecentSignIn } from '../accounts/sessions/live-session.ts';
import { findUser } from '../accounts/sessions/session-cookie.ts';
import type { SignedIn } from '../accounts/sessions/sessions.ts';
import { findEmailChange, findEmailChangeToCancel } from '../accounts/settings/change-email.ts';
import { postBody } from '../blog/bodies.ts';
import { createPosts } from '../blog/posts.ts';
import type { Deps } from '../deps.ts';
import { findKeptEntries } from '../forms/submit/saved-entries.ts';
import type { AppContext, AppEnv } from '../server/context.ts';
import { readBody } from '../server/input.ts';
import { problem } from '../server/problem.ts';
import { mailAt, mailPolicy, mailsPage, pagePolicy, templatesPage } from './mail-pages.ts';
import { mailSamples } from './mail-samples.ts';
import { findMail, newestMails } from './mails.ts';

/** Pages that a mailed link leads to, with a token. */
const mailedPages: ReadonlyMap<
  string,
  'confirm' | 'passwordReset' | 'newsletterConfirm' | 'newsletterUnsubscribe'
> = new Map([
  ['/auth/confirm', 'confirm'],
  ['/auth/reset', 'passwordReset'],
  ['/newsletter/confirm', 'newsletterConfirm'],
  ['/newsletter/unsubscribe', 'newsletterUnsubscribe'],
] as const);

/**
 * /api/dev, with DEV_PAGES=on only. What a page is rendered from, for Astro's dev
 * server, which draws the pages itself and reloads them as their code changes; it sends
 * the sample posts as they are edited, which the API otherwise takes from the build. And
 * pages with every mail that was sent, and a preview of each kind there is.
 */
export function devRoutes(deps: Deps) {
  const posts = createPosts(deps);

  function mailedPage({ pathname, searchParams }: URL): PageData | undefined {
    const token = searchParams.get('token') ?? '';
    const kind = mailedPages.get(pathname);
    if (kind) return { kind, token };
    const now = deps.clock.now();
    if (pathname === '/auth/change-email') {
      const change = findEmailChange(deps.db, token, now);
      return change ? { kind: 'emailChange', token, email: change.newEmail } : undefined;
    }
    if (pathname !== '/auth/cancel-email-change') return undefined;
    const change = findEmailChangeToCancel(deps.db, token, now);
    return change ? { kind: 'emailChangeCancel', token, email: change.newEmail } : undefined;
  }

  async function findPage(c: AppContext, url: URL): Promise<PageData | undefined> {
    const mailed = mailedPage(url);
    if (mailed) return mailed;
    const [, form, formToken] = /^\/(contact|careers)\/again\/([^/]+)$/.exec(url.pathname) ?? [];
    if (formToken !== undefined) {
      const kept = await findKeptEntries(deps, form as SubmissionForm, formToken);
      return kept ? { kind: 'formAgain', ...kept } : undefined;
    }
    const page = await deps.publisher.pages.at(url.pathname);
    return page ? page.data : findPersonalPage(await findUser(c, deps), url);
  }

  async function findPersonalPage(
    user: SignedIn | null,
    { pathname }: URL,
  ): Promise<PageData | undefined> {
    if (pathname === '/profile') {
      return user ? profilePage(deps, user, isRecentSignIn(user, deps.clock.now())) : undefined;
    }
    const [, editor, slug] = /^\/blog\/(editor\/)?([^/]+)$/.exec(pathname) ?? [];
    if (slug === undefined) return undefined;
    if (editor) {
      const post = user ? posts.findEditable(slug, user) : undefined;
      return post && { kind: 'edit', post };
    }
    const post = posts.findBySlug(slug, user);
    const body = post && (await deps.bodies.ofPost(post.id));
    return body ? { kind: 'post', post, ...postBody(body) } : undefined;
  }

  const samples = mailSamples(deps.settings.publicUrl);

  const showPage = (c: AppContext, html: string) =>
    c.html(html, 200, { 'Content-Security-Policy': pagePolicy });

  function showMail(c: AppContext, mail: { html: string } | undefined) {
    if (!mail) return problem(c, 'not_found', 'There is no such mail.');
    const hour = c.req.query('hour') === 'night' ? 'night' : 'day';
    return c.html(mailAt(mail.html, hour), 200, { 'Content-Security-Policy': mailPolicy });
  }

  return new Hono<AppEnv>()
    .get('/page', async (c) => {
      const url = URL.parse(c.req.query('path') ?? '', deps.settings.publicUrl);
      const page = url && (await findPage(c, url));
      return page ? c.json(page) : problem(c, 'not_found', 'No page is rendered at this path.');
    })
    .put('/sample-posts', (c) => {
      const read = readBody(c);
      if ('refusal' in read) return read.refusal;
      deps.renderer.samplePosts = read.body as SamplePost[];
      return c.body(null, 204);
    })
    .get('/mails', async (c) => {
      const { mails, all } = await newestMails(deps.db);
      return showPage(c, mailsPage(mails, all));
    })
    .get('/mails/:id/html', async (c) => showMail(c, await findMail(deps.db, c.req.param('id'))))
    .get('/mails/templates', (c) => showPage(c, templatesPage(samples)))
    .get('/mails/templates/:name/:index', (c) => {
      const { name, index } = c.req.param();
      return showMail(c, Object.hasOwn(samples, name) ? samples[name]?.[Number(index)] : undefined);
    });
}
