import config from './.dependency-cruiser.mjs';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-folder-cycles',
      comment: 'Folders depend on each other one way, types included.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^apps/[^/]+/src/' },
      to: { circular: true },
    },
  ],
  options: {
    ...config.options,
    includeOnly: { path: '^apps/[^/]+/src/' },
    // The files beside the folders put the app together, and tests use all of it.
    exclude: { path: ['^apps/api/src/[^/]+\\.ts$', '\\.test\\.tsx?$', '/testing/'] },
  },
};
