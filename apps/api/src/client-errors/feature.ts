import type { Feature } from '../feature.ts';
import { clientErrorRoutes, type Deps } from './routes.ts';

export const clientErrors: Feature<Deps> = {
  name: 'client-errors',
  routes: { '/api/client-errors': clientErrorRoutes },
  // The limits of the schema, when each character is escaped as JSON.
  maxBodyBytes: { '/api/client-errors': 16_384 },
};
