import type { Feature } from '../../feature.ts';
import { backupCommands } from './commands.ts';

export const backup: Feature<object> = { name: 'backup', commands: backupCommands };
