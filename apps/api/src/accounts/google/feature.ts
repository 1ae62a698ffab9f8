import type { Feature } from '../../feature.ts';
import { deleteUnfinished } from './cleanup.ts';
import type { Deps } from './deps.ts';
import { googleRoutes, linkAfterSignIn } from './routes.ts';

export const google: Feature<Deps> = {
  name: 'google',
  emails: () => import('./email-templates.tsx'),
  accountEmails: ['google-linked'],
  routes: { '/api/auth/google': googleRoutes },
  middleware: { '/api/auth/sign-in/*': linkAfterSignIn },
  cleanups: [deleteUnfinished],
};
