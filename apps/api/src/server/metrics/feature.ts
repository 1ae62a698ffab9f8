import type { Feature } from '../../feature.ts';
import { type Deps, metricsRoutes } from './routes.ts';

export const metrics: Feature<Deps> = {
  name: 'metrics',
  routes: { '/api/metrics': metricsRoutes },
};
