import type { Feature } from '../feature.ts';
import { combineRedirects } from '../publishing/pages.ts';
import { apiPathsOf } from './api-paths.ts';

export const siteExport: Feature<object> = {
  name: 'site-export',
  commands: async (features) => {
    const { siteExportCommand } = await import('./commands.ts');
    const site = { apiPaths: apiPathsOf(features), isRedirectPage: combineRedirects(features) };
    return [siteExportCommand(site)];
  },
};
