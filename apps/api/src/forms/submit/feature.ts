import type { Feature } from '../../feature.ts';
import { deleteExpired } from './cleanup.ts';
import type { Deps } from './deps.ts';
import { formRoutes } from './routes.ts';

export const submit: Feature<Deps> = {
  name: 'submit',
  routes: { '/api/forms': formRoutes },
  cleanups: [deleteExpired],
  commands: async (features) => {
    const { submissionCommands } = await import('./submission-commands.ts');
    const { quarantineCommands } = await import('./quarantine-commands.ts');
    return [
      ...submissionCommands(features.flatMap(({ submissions }) => submissions ?? [])),
      ...quarantineCommands(features.flatMap(({ form }) => form ?? [])),
    ];
  },
};
