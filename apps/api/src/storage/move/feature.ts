import { endExpiredMove } from '@app/db/move/move-state';
import type { Database } from '@app/db/open';
import type { Feature } from '../../feature.ts';
import { moveCommands } from './commands.ts';

export const move: Feature<{ db: Database }> = {
  name: 'move',
  commands: moveCommands,
  cleanups: [({ db }) => endExpiredMove(db)],
};
