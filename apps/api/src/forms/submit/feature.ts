import type { Feature } from '../../feature.ts';
import { deleteExpired } from './cleanup.ts';
import type { Deps } from './deps.ts';
import { formRoutes } from './routes.ts';

export const submit: Feature<Deps> = {
  name: 'submit',
  routes: { '/api/forms': formRoutes },
  cleanups: [deleteExpired],
};
