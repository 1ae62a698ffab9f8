import type { Feature } from '../../feature.ts';
import type { Deps } from './deps.ts';
import { authorRoutes, profilePage, profileRoutes, uploadRoutes } from './routes.ts';

export const profile: Feature<Deps> = {
  name: 'profile',
  routes: (deps) => ({
    '/api/profile': profileRoutes(deps),
    '/api/authors': authorRoutes(deps),
    '/uploads': uploadRoutes(deps),
  }),
  uploadEndpoints: ['PUT /api/profile/avatar', 'POST /api/profile/avatar'],
  personalPages: (deps) => ({ '/profile': { find: profilePage(deps) } }),
  fileCleanups: [({ avatars }) => avatars.sweep()],
};
