import type { Feature } from '../../feature.ts';
import { uploadCommands } from './move-command.ts';

export const uploads: Feature<object> = { name: 'uploads', commands: uploadCommands };
