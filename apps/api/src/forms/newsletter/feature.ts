import { newsletterSubscriptions as table } from '@app/db/schema/forms/newsletter';
import type { Deps } from '../../email/deps.ts';
import type { Feature } from '../../feature.ts';
import { exportedSubscription } from './exported-subscription.ts';
import { deleteUnconfirmedSubscriptions, unsubscribeSuppressed } from './newsletter.ts';
import { confirmPage, newsletterRoutes, unsubscribePage } from './routes.ts';

export const newsletter: Feature<Deps> = {
  name: 'newsletter',
  emails: () => import('./email-templates.tsx'),
  routes: { '/api/newsletter': newsletterRoutes },
  // Called by the unsubscribe button of email clients (RFC 8058).
  endpointsWithoutOrigin: ['POST /api/newsletter/unsubscribe'],
  personalPages: {
    '/newsletter/confirm': (deps) => ({ find: confirmPage(deps) }),
    '/newsletter/unsubscribe': (deps) => ({ find: unsubscribePage(deps) }),
  },
  cleanups: [deleteUnconfirmedSubscriptions],
  onSuppressed: unsubscribeSuppressed,
  userData: () => ({
    exportFields: (db, { email }) => ({ newsletter: exportedSubscription(db, email) }),
  }),
  submissions: {
    form: 'newsletter',
    table,
    columns: [
      table.id,
      table.createdAt,
      table.email,
      table.state,
      table.confirmedAt,
      table.unsubscribedAt,
    ],
  },
};
