import type { Feature } from '../feature.ts';
import type { Deps as ServerDeps } from './deps.ts';
import { type Deps as HealthDeps, healthRoutes } from './health/routes.ts';
import { deleteExpiredLimits } from './rate-limits/rate-limits.ts';

export const server: Feature<ServerDeps & HealthDeps> = {
  name: 'server',
  routes: { '/api/health': healthRoutes },
  cleanups: [deleteExpiredLimits],
};
