import type { Feature } from '../../feature.ts';
import { type Deps, emptyTrash } from './empty-trash.ts';

export const uploads: Feature<Deps> = {
  name: 'uploads',
  // After the cleanups of avatars and pictures, which restore files from the trash that are used again.
  fileCleanups: [emptyTrash],
  commands: async () => (await import('./move-command.ts')).uploadCommands,
};
