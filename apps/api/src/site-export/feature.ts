import type { Feature } from '../feature.ts';
import { apiPathsOf } from './api-paths.ts';

export const siteExport: Feature<object> = {
  name: 'site-export',
  commands: async (features) => {
    const { siteExportCommand } = await import('./commands.ts');
    return [siteExportCommand(apiPathsOf(features))];
  },
};
