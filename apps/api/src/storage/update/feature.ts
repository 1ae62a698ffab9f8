import type { Clock } from '../../clock.ts';
import type { Feature } from '../../feature.ts';
import { deleteOldCopies } from './copies.ts';

interface Deps {
  settings: { dataDir: string };
  clock: Clock;
}

export const update: Feature<Deps> = {
  name: 'update',
  fileCleanups: [async ({ settings, clock }) => deleteOldCopies(settings.dataDir, clock.now())],
};
