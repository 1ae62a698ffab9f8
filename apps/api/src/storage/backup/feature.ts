import type { Feature } from '../../feature.ts';

export const backup: Feature<object> = {
  name: 'backup',
  commands: async () => (await import('./commands.ts')).backupCommands,
};
