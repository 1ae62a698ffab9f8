import type { Feature } from '../feature.ts';

export const siteExport: Feature<object> = {
  name: 'site-export',
  commands: async () => (await import('./commands.ts')).siteExportCommands,
};
