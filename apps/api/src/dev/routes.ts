import { samplePost } from '@app/contract/blog/posts';
import { outbox } from '@app/db/schema/email';
import { desc, eq } from 'drizzle-orm';
import { Hono } from 'hono';
import * as v from 'valibot';
import type { Deps } from '../deps.ts';
import type { NewEmail } from '../email/outbox.ts';
import type { OutboxEmail } from '../email/transport.ts';
import type { AppContext, AppEnv } from '../server/context.ts';
import { input } from '../server/input.ts';
import { type PersonalPages, personalPageRoutes } from '../server/personal-pages.ts';
import { problem } from '../server/problem.ts';

const maxShown = 100;

/**
 * Only with DEV_PAGES=on. Astro's dev server gets the data of each page here, and sends sample
 * posts as they are edited. Also shows sent emails, and samples of all templates.
 */
export function devRoutes(deps: Deps, pages: PersonalPages) {
  const { db } = deps;
  const personalPages = personalPageRoutes(pages, deps.log, (c, page) => c.json(page));

  async function findPage(c: AppContext, url: URL): Promise<Response | null> {
    const published = await deps.publisher.pages.at(url.pathname);
    if (published && 'data' in published) return c.json(published.data);
    const response = await personalPages.request(url, { headers: c.req.raw.headers });
    return response.ok ? response : null;
  }

  // Imported on demand, because they load React.
  const loadPages = () => import('./email-pages.tsx');
  async function loadSamples(): Promise<NewEmail[]> {
    const { emailSamples } = await import('../email-templates.ts');
    return emailSamples(deps.settings.publicUrl);
  }

  const render = async <T extends NewEmail | OutboxEmail>(email: T) => ({
    ...email,
    ...(await deps.renderEmail(email)),
  });
  const renderAll = <T extends NewEmail | OutboxEmail>(emails: readonly T[]) =>
    Promise.all(emails.map((email) => render(email)));

  async function showEmail(c: AppContext, email: NewEmail | OutboxEmail | undefined) {
    const bodies = email && (await deps.renderEmail(email));
    if (!bodies) return problem(c, 'not_found', 'There is no such email.');
    if ('problem' in bodies) return problem(c, 'not_found', bodies.problem);
    const hour = c.req.query('hour') === 'night' ? 'night' : 'day';
    const { emailAt, emailPolicy } = await loadPages();
    return c.html(emailAt(bodies.html, hour), 200, { 'Content-Security-Policy': emailPolicy });
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
    .get('/emails', async (c) => {
      const { emailsPage, pagePolicy } = await loadPages();
      const newest = db.select().from(outbox).orderBy(desc(outbox.createdAt)).limit(maxShown).all();
      return c.html(emailsPage(await renderAll(newest), await db.$count(outbox)), 200, {
        'Content-Security-Policy': pagePolicy,
      });
    })
    .get('/emails/:id/html', (c) => {
      const hasId = eq(outbox.id, c.req.param('id'));
      return showEmail(c, db.select().from(outbox).where(hasId).get());
    })
    .get('/emails/templates', async (c) => {
      const { templatesPage, pagePolicy } = await loadPages();
      return c.html(templatesPage(await renderAll(await loadSamples())), 200, {
        'Content-Security-Policy': pagePolicy,
      });
    })
    .get('/emails/templates/:index', async (c) => {
      const samples = await loadSamples();
      return showEmail(c, samples[Number(c.req.param('index'))]);
    });
}
