const api = '^apps/api/src/';
const tests = '(\\.test\\.tsx?$|/testing/|^tests/)';
/** They are not part of the program. */
const buildConfigurations = '^apps/[^/]+/(astro|rolldown)\\.config\\.ts$';
/** A package of the workspace: its code, wherever it is imported from. */
const packages = (...names) => `^(${names.join('|')})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A module that imports itself through others may be half-loaded when it is used.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'resolvable',
      comment: 'The imported module does not exist.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(astro|virtual):' },
    },
    {
      name: 'declared',
      comment: 'Name the dependency in the package.json of the package that imports it.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: '^(astro|virtual):' },
    },
    {
      name: 'no-test-tools',
      comment: 'The program must run without test tools.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: tests },
      to: { path: '(^|/)node_modules/(vitest|playwright|@playwright/[^/]+)/' },
    },
    {
      name: 'packages-by-name',
      comment: 'Import another package by its name, not by a relative path.',
      severity: 'error',
      from: { path: '^((?:apps|packages)/[^/]+|tests)/' },
      to: {
        path: packages('apps', 'packages', 'tests'),
        pathNot: '^$1/',
        dependencyTypes: ['local'],
      },
    },
    {
      name: 'contract-stands-alone',
      comment:
        'Both apps and every browser load it, so it may only import valibot and a function that reads character references. The editor loads the converter of pasted texts on first use.',
      severity: 'error',
      from: {
        path: '^packages/contract/',
        pathNot: [tests, '^packages/contract/src/blog/html-to-markdown/'],
      },
      to: {
        pathNot: [
          '^packages/contract/',
          '(^|/)node_modules/(valibot|micromark-util-decode-string)/',
        ],
      },
    },
    {
      name: 'contract-tests',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { path: packages('apps', 'packages', 'tests'), pathNot: '^packages/contract/' },
    },
    {
      name: 'site-stands-alone',
      comment: 'It is content, and every browser may load it.',
      severity: 'error',
      from: { path: '^packages/site/', pathNot: tests },
      to: { pathNot: '^packages/site/' },
    },
    {
      name: 'tasks-stand-alone',
      comment: 'They run before anything is installed.',
      severity: 'error',
      from: { path: '^packages/tasks/', pathNot: tests },
      to: { pathNot: '^packages/tasks/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'db-knows-no-app',
      severity: 'error',
      from: { path: '^packages/db/' },
      to: { path: packages('apps', 'packages/(?!db/)[^/]+', 'tests') },
    },
    {
      name: 'web-through-contract',
      comment: 'The site and the API meet in packages/contract.',
      severity: 'error',
      from: { path: '^apps/web/', pathNot: buildConfigurations },
      to: { path: packages('apps/api', 'packages/db', 'packages/tasks', 'tests') },
    },
    {
      name: 'api-through-contract',
      comment: 'The site and the API meet in packages/contract.',
      severity: 'error',
      from: { path: '^apps/api/', pathNot: buildConfigurations },
      to: { path: packages('apps/web', 'packages/tasks', 'tests') },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'What only tests need is not part of the program.',
      severity: 'error',
      from: { pathNot: tests },
      to: { path: '/testing/' },
    },
    {
      name: 'http-in-routes',
      comment: 'Only server/, docs/ and the files named here handle HTTP.',
      severity: 'error',
      from: {
        path: `${api}[^/]+/`,
        pathNot: [
          `${api}(server|docs)/`,
          '/([a-z]+-routes|routes|handler|middleware|session-cookie)\\.ts$',
          tests,
        ],
      },
      to: { path: 'node_modules/(hono|@hono/[^/]+)/' },
    },
    {
      name: 'features-declare-routes',
      comment: 'feature.ts mounts the routes of its folder.',
      severity: 'error',
      from: { path: `${api}.+/`, pathNot: ['/feature\\.ts$', tests] },
      to: { path: `${api}.+/routes\\.ts$` },
    },
    {
      name: 'commands-on-demand',
      comment: 'The server loads all features, but no commands: load these with import().',
      severity: 'error',
      from: { path: `${api}(.+/feature|features|app|create-deps|main)\\.ts$` },
      to: {
        path: `${api}.*commands?\\.ts$`,
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'features-mount-their-own-routes',
      severity: 'error',
      from: { path: '^(apps/api/src/.+)/feature\\.ts$' },
      to: { path: '/routes\\.ts$', pathNot: '^$1/' },
    },
    {
      name: 'features-are-listed',
      comment: 'Only features.ts knows the features.',
      severity: 'error',
      from: { pathNot: `${api}features\\.ts$` },
      to: { path: `${api}.+/feature\\.ts$` },
    },
    {
      name: 'names-say-something',
      severity: 'error',
      from: {},
      to: {
        path: '/(utils?|helpers?|misc|common|stuff)[./]',
        pathNot: 'node_modules',
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^apps/[^/]+/(dist|[.]astro|[.]wireit)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
};
