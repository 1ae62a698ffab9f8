import type { Feature } from '../feature.ts';
import { deleteOldEntries, type LogDeps } from './log.ts';

export const publishing: Feature<LogDeps> = {
  name: 'publishing',
  cleanups: [deleteOldEntries],
};
