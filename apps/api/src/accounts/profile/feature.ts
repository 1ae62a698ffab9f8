import type { Feature } from '../../feature.ts';
import type { Deps } from './deps.ts';
import { authorRoutes, profilePage, profileRoutes, uploadRoutes } from './routes.ts';

export const profile: Feature<Deps> = {
  name: 'profile',
  routes: {
    '/api/profile': profileRoutes,
    '/api/authors': authorRoutes,
    '/uploads': uploadRoutes,
  },
  uploadEndpoints: ['PUT /api/profile/avatar', 'POST /api/profile/avatar'],
  personalPages: { '/profile': (deps) => ({ find: profilePage(deps) }) },
  fileCleanups: [({ avatars }) => avatars.sweep()],
};
