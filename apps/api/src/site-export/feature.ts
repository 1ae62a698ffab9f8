import type { Feature } from '../feature.ts';
import { siteExportCommands } from './commands.ts';

export const siteExport: Feature<object> = { name: 'site-export', commands: siteExportCommands };
