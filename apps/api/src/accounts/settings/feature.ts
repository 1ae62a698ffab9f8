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
  accountEmails: [
    'password-changed',
    'email-change-requested',
    'email-change',
    'email-changed',
    'address-taken',
    'account-deleted',
  ],
  routes: {
    '/api/auth': credentialRoutes,
    '/api/auth/sessions': deviceRoutes,
    '/api/account': accountDataRoutes,
  },
  personalPages: {
    '/auth/change-email': (deps) => ({ find: emailChangePage(deps) }),
    '/auth/cancel-email-change': (deps) => ({ find: emailChangeCancelPage(deps) }),
  },
  cleanups: [finishDeletions],
};
