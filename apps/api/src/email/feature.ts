import type { Feature } from '../feature.ts';
import { deleteSent } from './cleanup.ts';
import type { Deps } from './deps.ts';
import { emailRoutes } from './routes.ts';

export const email: Feature<Deps> = {
  name: 'email',
  routes: { '/api/mail': emailRoutes },
  endpointsWithoutOrigin: ['POST /api/mail/resend-events'],
  cleanups: [deleteSent],
  commands: async () => [
    ...(await import('./outbox-commands.ts')).outboxCommands,
    ...(await import('./suppression-commands.ts')).suppressionCommands,
  ],
};
