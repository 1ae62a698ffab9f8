import type { Database } from '@app/db/open';
import type { Feature } from '../feature.ts';
import { combineRedirects } from '../publishing/pages.ts';
import { apiPathsOf } from './api-paths.ts';

export const siteExport: Feature<object> = {
  name: 'site-export',
  commands: async (features) => {
    const { siteExportCommand, siteRenderCommand } = await import('./commands.ts');
    const redirects = (db: Database) => combineRedirects(features, db);
    const site = { apiPaths: apiPathsOf(features), redirects };
    return [siteExportCommand(site), siteRenderCommand];
  },
};
