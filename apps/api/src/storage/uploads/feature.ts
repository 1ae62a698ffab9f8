import type { Feature } from '../../feature.ts';

export const uploads: Feature<object> = {
  name: 'uploads',
  commands: async () => (await import('./move-command.ts')).uploadCommands,
};
