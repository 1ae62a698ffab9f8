import { limits } from '@app/contract/limits';
import type { Feature } from '../feature.ts';
import type { Deps } from './deps.ts';
import { deleteExpiredLinks } from './draft-links/draft-links.ts';
import { draftLinkHeaders, draftLinkPage } from './draft-links/page-routes.ts';
import { draftLinkRoutes } from './draft-links/routes.ts';
import { deleteOldDrafts } from './drafts/drafts.ts';
import { draftRoutes } from './drafts/routes.ts';
import { deleteSupersededRevisions } from './history/delete-superseded.ts';
import { createHistoryPage } from './history/page.ts';
import { revisionRoutes } from './history/routes.ts';
import {
  editorPage,
  markdownPage,
  oldFeedPage,
  postFailed,
  postPage,
  sharedPageKey,
} from './page-routes.ts';
import { oldFeedPath } from './pages/post-paths.ts';
import { createBlogPages, createRedirects } from './pages/published-pages.ts';
import { pictureFileRoutes, pictureRoutes, picturesPage } from './pictures/routes.ts';
import { deleteOldTrashedPictures } from './pictures/trashed-pictures.ts';
import { presenceRoutes } from './presence/routes.ts';
import { previewFrameRoutes, previewRoutes } from './preview/routes.ts';
import { logAuthorPages } from './publishing/author-pages.ts';
import { postRoutes } from './routes.ts';
import { purgeDeletedWords } from './search/purge-deleted-words.ts';
import { searchPage, searchRoutes } from './search/routes.ts';
import { slugRoutes } from './slugs/routes.ts';
import { emptyTrash } from './trash/empty-trash.ts';
import { createTrashPage } from './trash/page.ts';
import { trashRoutes } from './trash/routes.ts';
import { userData } from './user-data/user-data.ts';

export const blog: Feature<Deps> = {
  name: 'blog',
  routes: {
    // Fixed paths come first, because `/api/posts/:post` matches them, too.
    '/api/posts/preview': previewRoutes,
    '/api/posts/slugs': slugRoutes,
    '/api/posts/presence': presenceRoutes,
    '/api/posts/drafts': draftRoutes,
    '/api/posts/pictures': pictureRoutes,
    '/api/posts/:post/revisions': revisionRoutes,
    '/api/posts/:post/draft-links': draftLinkRoutes,
    '/api/posts/:post': trashRoutes,
    '/api/posts': postRoutes,
    '/api/search': searchRoutes,
    '/api/preview-frame': previewFrameRoutes,
    '/pictures': pictureFileRoutes,
  },
  uploadEndpoints: ['POST /api/posts/pictures'],
  maxBodyBytes: { '/api/posts': limits.postBodyBytes },
  personalPages: {
    // Fixed paths come first, because `/blog/:slug` matches them, too.
    '/blog/search': searchPage,
    '/blog/draft/:token': draftLinkPage,
    '/blog/pictures': picturesPage,
    '/blog/trash': (deps) => ({ find: createTrashPage(deps) }),
    [oldFeedPath]: oldFeedPage,
    '/blog/:file{[a-z0-9_-]+[.]md}': markdownPage,
    '/blog/:slug': postPage,
    '/blog/editor/:slug/history': (deps) => ({
      find: createHistoryPage(deps),
      failure: postFailed,
    }),
    '/blog/editor/:slug': editorPage,
  },
  sharedPageKey,
  middleware: { '/blog/draft/*': () => draftLinkHeaders },
  publishedPages: createBlogPages,
  redirects: createRedirects,
  userData,
  logByline: logAuthorPages,
  commands: async () => (await import('./transfer/commands.ts')).postCommands,
  cleanups: [
    deleteOldDrafts,
    deleteExpiredLinks,
    emptyTrash,
    deleteOldTrashedPictures,
    deleteSupersededRevisions,
    purgeDeletedWords,
  ],
  fileCleanups: [({ pictures }) => pictures.sweep()],
};
