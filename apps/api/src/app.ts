import { Hono } from 'hono';
import { googleRoutes, linkAfterSignIn } from './accounts/google/routes.ts';
import {
  authorRoutes,
  profilePageRoutes,
  profileRoutes,
  uploadRoutes,
} from './accounts/profile/routes.ts';
import {
  accountDataRoutes,
  credentialRoutes,
  deviceRoutes,
  emailChangeCancelPageRoutes,
  emailChangePageRoutes,
} from './accounts/settings/routes.ts';
import { accountRoutes, confirmPageRoutes, resetPageRoutes } from './accounts/sign-in/routes.ts';
import { blogPageRoutes, postRoutes } from './blog/routes.ts';
import type { Deps } from './deps.ts';
import { devRoutes } from './dev/routes.ts';
import { mailRoutes } from './email/routes.ts';
import { careerRoutes } from './forms/careers/routes.ts';
import { contactRoutes } from './forms/contact/routes.ts';
import { newsletterPageRoutes, newsletterRoutes } from './forms/newsletter/routes.ts';
import { formAgainRoutes, formRoutes } from './forms/submit/routes.ts';
import { readBodyFirst } from './server/body.ts';
import type { AppEnv } from './server/context.ts';
import { healthRoutes } from './server/health/routes.ts';
import { allowedMethods } from './server/methods.ts';
import { onError } from './server/on-error.ts';
import { originCheck } from './server/origin-check.ts';
import { problem } from './server/problem.ts';
import { notFoundPage } from './server/rendered-page.ts';
import { frame } from './server/request-log.ts';

/** Everything that is not a published file. The one list of what the server does. */
export function createApp(deps: Deps) {
  const changes = ['POST', 'PUT', 'PATCH', 'DELETE'];
  const app = new Hono<AppEnv>()
    .use(frame(deps))
    .on(changes, '*', originCheck(deps.settings.publicUrl), readBodyFirst(deps))
    .use('/api/auth/sign-in/*', linkAfterSignIn(deps))
    .route('/api/auth', accountRoutes(deps))
    .route('/api/auth/google', googleRoutes(deps))
    .route('/auth/confirm', confirmPageRoutes(deps))
    .route('/auth/reset', resetPageRoutes(deps))
    .route('/api/auth', credentialRoutes(deps))
    .route('/auth/change-email', emailChangePageRoutes(deps))
    .route('/auth/cancel-email-change', emailChangeCancelPageRoutes(deps))
    .route('/api/auth/sessions', deviceRoutes(deps))
    .route('/api/account', accountDataRoutes(deps))
    .route('/api/profile', profileRoutes(deps))
    .route('/profile', profilePageRoutes(deps))
    .route('/uploads', uploadRoutes(deps))
    .route('/api/authors', authorRoutes(deps))
    .route('/api/posts', postRoutes(deps))
    .route('/blog', blogPageRoutes(deps))
    .route('/api/forms', formRoutes(deps))
    .route('/api/contact', contactRoutes(deps))
    .route('/contact/again', formAgainRoutes(deps, 'contact'))
    .route('/api/newsletter', newsletterRoutes(deps))
    .route('/newsletter', newsletterPageRoutes(deps))
    .route('/api/mail', mailRoutes(deps))
    .route('/api/careers', careerRoutes(deps))
    .route('/careers/again', formAgainRoutes(deps, 'careers'))
    .route('/api/health', healthRoutes(deps));
  if (deps.settings.devPages) app.route('/api/dev', devRoutes(deps));

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
