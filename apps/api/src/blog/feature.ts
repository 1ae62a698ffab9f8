import { limits } from '@app/contract/limits';
import type { Feature } from '../feature.ts';
import { deleteOldJobs } from '../publishing/jobs.ts';
import type { Deps } from './deps.ts';
import { deleteExpiredLinks } from './draft-links/draft-links.ts';
import { draftLinkHeaders, draftLinkPages } from './draft-links/page-routes.ts';
import { draftLinkRoutes } from './draft-links/routes.ts';
import { deleteOldDrafts } from './drafts/drafts.ts';
import { draftRoutes } from './drafts/routes.ts';
import { deleteSupersededRevisions } from './history/delete-superseded.ts';
import { revisionRoutes } from './history/routes.ts';
import { blogPages } from './page-routes.ts';
import { createBlogPages } from './pages/published-pages.ts';
import { pictureFileRoutes, picturePages, pictureRoutes } from './pictures/routes.ts';
import { presenceRoutes } from './presence/routes.ts';
import { previewFrameRoutes, previewRoutes } from './preview/routes.ts';
import { postRoutes } from './routes.ts';
import { purgeDeletedWords } from './search/purge-deleted-words.ts';
import { searchPages, searchRoutes } from './search/routes.ts';
import { slugRoutes } from './slugs/routes.ts';
import { emptyTrash } from './trash/empty-trash.ts';
import { trashRoutes } from './trash/routes.ts';
import { userData } from './user-data/user-data.ts';

export const blog: Feature<Deps> = {
  name: 'blog',
  routes: (deps) => ({
    // Before the posts, whose ids they would match.
    '/api/posts/preview': previewRoutes(deps),
    '/api/posts/slugs': slugRoutes(deps),
    '/api/posts/presence': presenceRoutes(deps),
    '/api/posts/drafts': draftRoutes(deps),
    '/api/posts/pictures': pictureRoutes(deps),
    '/api/posts/:post/revisions': revisionRoutes(deps),
    '/api/posts/:post/draft-links': draftLinkRoutes(deps),
    '/api/posts/:post': trashRoutes(deps),
    '/api/posts': postRoutes(deps),
    '/api/search': searchRoutes(deps),
    '/api/preview-frame': previewFrameRoutes(),
    '/pictures': pictureFileRoutes(deps),
  }),
  uploadEndpoints: ['POST /api/posts/pictures', 'POST /api/posts/pictures/upload'],
  maxBodyBytes: { '/api/posts': limits.postBodyBytes },
  // Before the posts, whose slugs they would match.
  personalPages: (deps) => ({
    ...searchPages(deps),
    ...draftLinkPages(deps),
    ...picturePages(deps),
    ...blogPages(deps),
  }),
  middleware: () => ({ '/blog/draft/*': draftLinkHeaders }),
  publishedPages: createBlogPages,
  userData,
  commands: async () => (await import('./transfer/commands.ts')).postCommands,
  cleanups: [
    deleteOldDrafts,
    deleteExpiredLinks,
    emptyTrash,
    deleteSupersededRevisions,
    purgeDeletedWords,
    deleteOldJobs,
  ],
  fileCleanups: [({ pictures }) => pictures.sweep()],
};
