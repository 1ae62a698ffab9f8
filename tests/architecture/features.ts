import { importsOf, isRelative, packageName, target } from './imports.ts';
import { isTest, type SourceFile } from './sources.ts';

const api = 'apps/api/src/';

/** Folders of apps/api/src that every feature stands on. */
const foundations: readonly string[] = [
  'accounts',
  'cli',
  'email',
  'forms/submit',
  'publishing',
  'server',
];

/**
 * Folders that may use another one's work (never its routes), each for its reason. A new pair is
 * a decision, so it is made here.
 */
const mayUse: readonly { from: string; to: string; because: string }[] = [
  { from: 'storage', to: 'accounts/profile', because: 'a backup has the pictures of profiles' },
  ...['blog', 'forms/submit'].map((from) => ({
    from,
    to: 'accounts/sessions',
    because: 'who may see and change something depends on who asks',
  })),
  { from: 'accounts', to: 'accounts/profile', because: 'an account has a profile' },
  { from: 'accounts', to: 'accounts/sessions', because: 'permissions depend on who is signed in' },
  ...['google', 'profile', 'sessions', 'settings', 'sign-in'].flatMap((from) =>
    ['google', 'profile', 'sessions', 'sign-in'].map((to) => ({
      from: `accounts/${from}`,
      to: `accounts/${to}`,
      because: 'all of them work on one account',
    })),
  ),
  {
    from: 'accounts/settings',
    to: 'blog',
    because: 'deleting an account deletes its posts, or takes its name off them',
  },
  {
    from: 'accounts/profile',
    to: 'blog',
    because: 'posts show the name and the picture of their author',
  },
  ...[
    ...['google', 'profile', 'sessions', 'settings', 'sign-in'].map((name) => `accounts/${name}`),
    ...['careers', 'contact', 'newsletter'].map((name) => `forms/${name}`),
    'blog',
  ].map((to) => ({
    from: 'dev',
    to,
    because: 'developers see every page and every mail',
  })),
];

const inApi = (files: readonly SourceFile[]): SourceFile[] =>
  files.filter(({ path }) => path.startsWith(api) && !isTest(path));

/** Folders that hold features side by side, besides files that all of these use. */
const groups: readonly string[] = ['accounts', 'forms'];

/** The feature's folder of a file in apps/api/src; '' for the files beside the folders. */
const folderOf = (path: string): string => {
  const [first = '', second = '', third] = path.slice(api.length).split('/');
  if (second === '') return '';
  return groups.includes(first) && third !== undefined ? `${first}/${second}` : first;
};

/** Files named after what they do to a request, besides each feature's routes.ts. */
const requestFiles: readonly string[] = ['accounts/sessions/session-cookie.ts'];

/** HTTP outside of where it belongs: the app, the folder server/ and each feature's routes.ts. */
export const strayHttp = (files: readonly SourceFile[]): string[] =>
  inApi(files)
    .filter(({ path }) => {
      const folder = folderOf(path);
      const isRequestFile = requestFiles.includes(path.slice(api.length));
      return folder !== 'server' && folder !== '' && !path.endsWith('/routes.ts') && !isRequestFile;
    })
    .flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => /^(hono|@hono\/.+)$/.test(packageName(specifier)))
        .map(({ specifier }) => `${file.path} imports ${specifier}: only routes.ts does HTTP`),
    );

/** Imports from one folder of the API into another that are not meant. */
export const reachingInside = (files: readonly SourceFile[]): string[] =>
  inApi(files).flatMap((file) =>
    importsOf(file).flatMap(({ specifier }) => {
      const complaint = isRelative(specifier)
        ? complaintOf(folderOf(file.path), target(file.path, specifier))
        : null;
      return complaint ? [`${file.path} imports ${specifier}: ${complaint}`] : [];
    }),
  );

const complaintOf = (from: string, path: string): string | null => {
  const to = folderOf(path);
  if (to === 'testing') return 'what only tests need is no part of the program';
  // The files beside the folders put the app together: they may know all of it.
  if (from === '' || to === '' || from === to) return null;
  if (path.endsWith('/routes.ts')) return 'routes belong to the app, not to another folder';
  if (foundations.includes(to)) return null;
  return mayUse.some((pair) => pair.from === from && pair.to === to)
    ? null
    : `${from} may not use ${to}; if it should, say why in features.ts`;
};
