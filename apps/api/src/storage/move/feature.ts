import { endExpiredMove } from '@app/db/move/move-state';
import type { Database } from '@app/db/open';
import type { Feature } from '../../feature.ts';

export const move: Feature<{ db: Database }> = {
  name: 'move',
  commands: async () => (await import('./commands.ts')).moveCommands,
  cleanups: [({ db }) => endExpiredMove(db)],
};
