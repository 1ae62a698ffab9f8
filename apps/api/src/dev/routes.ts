import { samplePost } from '@app/contract/blog/posts';
import { Hono } from 'hono';
import * as v from 'valibot';
import type { Deps } from '../deps.ts';
import type { NewMail } from '../email/outbox.ts';
import type { OutboxMail } from '../email/transport.ts';
import type { AppContext, AppEnv } from '../server/context.ts';
import { input } from '../server/input.ts';
import { type PersonalPages, personalPageRoutes } from '../server/personal-pages.ts';
import { problem } from '../server/problem.ts';
import { findMail, newestMails } from './mails.ts';

/**
 * /api/dev, with DEV_PAGES=on only: the data of each page for Astro's dev server, which sends
 * sample posts as they are edited; and pages that show sent emails and samples of all templates.
 */
export function devRoutes(deps: Deps, pages: PersonalPages) {
  const personalPages = personalPageRoutes(pages, deps.log, (c, page) => c.json(page));

  async function findPage(c: AppContext, url: URL): Promise<Response | null> {
    const published = await deps.publisher.pages.at(url.pathname);
    if (published) return c.json(published.data);
    const response = await personalPages.request(url, { headers: c.req.raw.headers });
    return response.ok ? response : null;
  }

  // Loads React.
  const loadPages = () => import('./mail-pages.tsx');
  async function loadSamples(): Promise<NewMail[]> {
    const { emailSamples } = await import('../email-templates.ts');
    return emailSamples(deps.settings.publicUrl);
  }

  const render = async <T extends NewMail | OutboxMail>(mail: T) => ({
    ...mail,
    ...(await deps.renderEmail(mail)),
  });
  const renderAll = <T extends NewMail | OutboxMail>(mails: readonly T[]) =>
    Promise.all(mails.map((mail) => render(mail)));

  async function showMail(c: AppContext, mail: NewMail | OutboxMail | undefined) {
    const bodies = mail && (await deps.renderEmail(mail));
    if (!bodies) return problem(c, 'not_found', 'There is no such mail.');
    if ('problem' in bodies) return problem(c, 'not_found', bodies.problem);
    const hour = c.req.query('hour') === 'night' ? 'night' : 'day';
    const { mailAt, mailPolicy } = await loadPages();
    return c.html(mailAt(bodies.html, hour), 200, { 'Content-Security-Policy': mailPolicy });
  }

  return new Hono<AppEnv>()
    .get('/page', async (c) => {
      const url = URL.parse(c.req.query('path') ?? '', deps.settings.publicUrl);
      const page = url && (await findPage(c, url));
      return page ?? problem(c, 'not_found', 'No page is rendered at this path.');
    })
    .put('/sample-posts', input(v.array(samplePost)), (c) => {
      deps.renderer.samplePosts = c.req.valid('json');
      return c.body(null, 204);
    })
    .get('/mails', async (c) => {
      const { mailsPage, pagePolicy } = await loadPages();
      const { mails, all } = newestMails(deps.db);
      return c.html(mailsPage(await renderAll(mails), all), 200, {
        'Content-Security-Policy': pagePolicy,
      });
    })
    .get('/mails/:id/html', (c) => showMail(c, findMail(deps.db, c.req.param('id'))))
    .get('/mails/templates', async (c) => {
      const { templatesPage, pagePolicy } = await loadPages();
      return c.html(templatesPage(await renderAll(await loadSamples())), 200, {
        'Content-Security-Policy': pagePolicy,
      });
    })
    .get('/mails/templates/:index', async (c) => {
      const samples = await loadSamples();
      return showMail(c, samples[Number(c.req.param('index'))]);
    });
}
