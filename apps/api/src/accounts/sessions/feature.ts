import type { Feature } from '../../feature.ts';
import type { Deps } from './deps.ts';

export const sessions: Feature<Deps> = {
  name: 'sessions',
  cleanups: [({ sessions }) => sessions.deleteExpired()],
};
