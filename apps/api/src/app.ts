import { Hono } from 'hono';
import { limitLargeBodies } from './accounts/sessions/large-bodies/middleware.ts';
import { findPageAccount } from './accounts/sessions/page-account.ts';
import type { Deps } from './deps.ts';
import { devRoutes } from './dev/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import { features } from './features.ts';
import { readBodyFirst } from './server/body.ts';
import type { AppEnv } from './server/context.ts';
import { allowedMethods } from './server/methods.ts';
import { onError } from './server/on-error.ts';
import { originCheck } from './server/origin-check.ts';
import { type PersonalPages, personalPageRoutes } from './server/personal-pages.ts';
import { problem } from './server/problem.ts';
import { refusePrefetch } from './server/refuse-prefetch.ts';
import { notFoundPage, personalPage } from './server/rendered-page.ts';
import { requestLog } from './server/request-log.ts';
import { createSharedPages } from './server/shared-pages.ts';

/** The app without the published files. */
export function createApp(deps: Deps) {
  const pages: PersonalPages = Object.fromEntries(
    features.flatMap(({ personalPages = {} }) =>
      Object.entries(personalPages).map(([path, create]) => [path, create(deps)]),
    ),
  );
  const endpointsWithoutOrigin = features.flatMap(
    (feature) => feature.endpointsWithoutOrigin ?? [],
  );
  const sharedPage = createSharedPages(deps, (page) => {
    for (const { sharedPageKey } of features) {
      const key = sharedPageKey?.(page);
      if (key !== undefined) return key;
    }
    return undefined;
  });
  const app = new Hono<AppEnv>()
    .use(
      requestLog({ ...deps, isHttps: deps.settings.publicUrl.startsWith('https:') }),
      refusePrefetch(pages),
    )
    .on(
      ['POST', 'PUT', 'PATCH', 'DELETE'],
      '*',
      originCheck(deps.settings.publicUrl, endpointsWithoutOrigin),
      readBodyFirst(deps, {
        uploadEndpoints: features.flatMap(({ uploadEndpoints = [] }) => uploadEndpoints),
        maxBodyBytes: Object.assign({}, ...features.map(({ maxBodyBytes }) => maxBodyBytes)),
      }),
      limitLargeBodies(deps),
    );
  for (const { middleware = {} } of features) {
    for (const [path, create] of Object.entries(middleware)) app.use(path, create(deps));
  }
  for (const { routes = {} } of features) {
    for (const [path, create] of Object.entries(routes)) app.route(path, create(deps));
  }
  app.route('/api', docsRoutes(app, deps, { endpointsWithoutOrigin }));
  app.route(
    '/',
    personalPageRoutes(
      pages,
      deps.log,
      async (c, page) =>
        sharedPage(c, page) ??
        personalPage(c, deps, page, { account: await findPageAccount(c, deps) }),
    ),
  );
  if (deps.settings.devPages) app.route('/api/dev', devRoutes(deps, pages));

  app.notFound((c) => {
    const allowed = allowedMethods(app.routes, c.req.path);
    if (allowed.length > 0 && !allowed.includes(c.req.method)) {
      const headers = { Allow: allowed.join(', ') };
      return problem(c, 'method_not_allowed', `Use ${allowed.join(' or ')} here.`, { headers });
    }
    const isPage = !c.req.path.startsWith('/api/') && /^(?:GET|HEAD)$/.test(c.req.method);
    return isPage
      ? notFoundPage(c, deps)
      : problem(c, 'not_found', 'There is no endpoint at this URL.');
  });

  app.onError(onError(deps));
  return app;
}
