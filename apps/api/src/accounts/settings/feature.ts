import type { Feature } from '../../feature.ts';
import { finishDeletions } from './delete-account.ts';
import type { Deps } from './deps.ts';
import {
  accountDataRoutes,
  credentialRoutes,
  deviceRoutes,
  emailChangeCancelPage,
  emailChangePage,
} from './routes.ts';

export const settings: Feature<Deps> = {
  name: 'settings',
  emails: () => import('./email-templates.tsx'),
  routes: (deps) => ({
    '/api/auth': credentialRoutes(deps),
    '/api/auth/sessions': deviceRoutes(deps),
    '/api/account': accountDataRoutes(deps),
  }),
  personalPages: (deps) => ({
    '/auth/change-email': { find: emailChangePage(deps) },
    '/auth/cancel-email-change': { find: emailChangeCancelPage(deps) },
  }),
  cleanups: [finishDeletions],
};
