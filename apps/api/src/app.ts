import { Hono } from 'hono';
import {
  accountDataRoutes,
  credentialRoutes,
  deviceRoutes,
  emailChangeCancelPageRoutes,
  emailChangePageRoutes,
} from './account-settings/routes.ts';
import { accountRoutes, confirmPageRoutes, resetPageRoutes } from './accounts/routes.ts';
import { blogPageRoutes, postRoutes } from './blog/routes.ts';
import { careerRoutes } from './careers/routes.ts';
import { contactRoutes } from './contact/routes.ts';
import type { Deps } from './deps.ts';
import { devRoutes } from './dev/routes.ts';
import { googleRoutes, linkAfterSignIn } from './google/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { readBodyFirst } from './http/body.ts';
import type { AppEnv } from './http/context.ts';
import { frame } from './http/frame.ts';
import { allowedMethods } from './http/methods.ts';
import { onError } from './http/on-error.ts';
import { originCheck } from './http/origin-check.ts';
import { notFoundPage } from './http/page.ts';
import { problem } from './http/problem.ts';
import { mailRoutes } from './mail/routes.ts';
import { newsletterPageRoutes, newsletterRoutes } from './newsletter/routes.ts';
import { authorRoutes, profilePageRoutes, profileRoutes, uploadRoutes } from './profile/routes.ts';
import { formAgainRoutes, formRoutes } from './submissions/routes.ts';

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
    return isPage ? notFoundPage(c, deps) : problem(c, 'not_found', 'No call has this address.');
  });

  app.onError(onError(deps));
  return app;
}
