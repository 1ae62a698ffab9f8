import type { Feature } from '../../feature.ts';
import { type Deps, emptyTrash } from './empty-trash.ts';

export const uploads: Feature<Deps> = {
  name: 'uploads',
  // After those of avatars and pictures, which restore files that the database refers to again.
  fileCleanups: [emptyTrash],
  commands: async () => (await import('./move-command.ts')).uploadCommands,
};
