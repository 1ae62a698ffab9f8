import type { Feature } from '../feature.ts';
import { deleteSent } from './cleanup.ts';
import { emailRoutes } from './routes.ts';
import type { SuppressionDeps } from './suppressions.ts';

export const email: Feature<SuppressionDeps> = {
  name: 'email',
  routes: { '/api/mail': emailRoutes },
  endpointsWithoutOrigin: ['POST /api/mail/resend-events'],
  cleanups: [deleteSent],
  commands: async () => [
    ...(await import('./outbox-commands.ts')).outboxCommands,
    ...(await import('./suppression-commands.ts')).suppressionCommands,
  ],
};
