import type { SamplePost } from '@app/contract/blog/posts';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppContext, AppEnv } from '../server/context.ts';
import { readBody } from '../server/input.ts';
import { type PersonalPages, personalPageRoutes } from '../server/personal-pages.ts';
import { problem } from '../server/problem.ts';
import { mailAt, mailPolicy, mailsPage, pagePolicy, templatesPage } from './mail-pages.ts';
import { mailSamples } from './mail-samples.ts';
import { findMail, newestMails } from './mails.ts';

/**
 * /api/dev, with DEV_PAGES=on only. What a page is rendered from, for Astro's dev
 * server, which draws the pages itself and reloads them as their code changes; it sends
 * the sample posts as they are edited, which the API otherwise takes from the build. And
 * pages with every mail that was sent, and a preview of each kind there is.
 */
export function devRoutes(deps: Deps, pages: PersonalPages) {
  const personalPages = personalPageRoutes(pages, deps.log, (c, page) => c.json(page));

  async function findPage(c: AppContext, url: URL): Promise<Response | null> {
    const published = await deps.publisher.pages.at(url.pathname);
    if (published) return c.json(published.data);
    const response = await personalPages.request(url, { headers: c.req.raw.headers });
    return response.ok ? response : null;
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
      return page ?? problem(c, 'not_found', 'No page is rendered at this path.');
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
