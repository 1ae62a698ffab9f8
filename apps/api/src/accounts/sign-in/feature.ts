import type { Feature } from '../../feature.ts';
import { logBylineOf } from '../profile/user-data.ts';
import { deleteUnconfirmedAccounts } from './cleanup.ts';
import type { Deps } from './deps.ts';
import {
  accountRoutes,
  confirmPage,
  rejectedForgotPage,
  rejectedSignInPage,
  resetPage,
} from './routes.ts';

export const signIn: Feature<Deps> = {
  name: 'sign-in',
  emails: () => import('./email-templates.tsx'),
  accountEmails: ['confirmation', 'already-registered', 'password-reset'],
  routes: { '/api/auth': accountRoutes },
  personalPages: {
    '/auth/again': (deps) => ({ find: rejectedSignInPage(deps) }),
    '/auth/forgot/again': () => ({ find: rejectedForgotPage() }),
    '/auth/confirm': (deps) => ({ find: confirmPage(deps) }),
    '/auth/reset': (deps) => ({ find: resetPage(deps) }),
  },
  cleanups: [deleteUnconfirmedAccounts],
  commands: async (features) =>
    (await import('./staff-commands.ts')).staffCommands(logBylineOf(features)),
};
