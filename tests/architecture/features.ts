import { importsOf, isRelative, packageName, target } from './imports.ts';
import { isTest, type SourceFile } from './sources.ts';

const api = 'apps/api/src/';

/** Folders of apps/api/src that every feature stands on. */
const foundations: readonly string[] = ['health', 'http', 'mail', 'publishing', 'submissions'];

/**
 * Folders that may use another one's work (never its routes), each for its reason. A new pair is
 * a decision, so it is made here.
 */
const mayUse: readonly { from: string; to: string; because: string }[] = [
  { from: 'http', to: 'accounts', because: 'a request comes with the session of an account' },
  { from: 'cli', to: 'backup', because: 'it makes backups and restores them' },
  { from: 'backup', to: 'data-folder', because: 'a restore replaces what is in DATA_DIR' },
  { from: 'backup', to: 'profile', because: 'a backup has the pictures that profiles name' },
  { from: 'blog', to: 'accounts', because: 'who may see and change a post depends on who asks' },
  { from: 'account-settings', to: 'accounts', because: 'what it changes is the account' },
  { from: 'account-settings', to: 'profile', because: 'deleting an account removes its pictures' },
  {
    from: 'account-settings',
    to: 'blog',
    because: 'deleting an account deletes its posts, or takes its name off them',
  },
  { from: 'google', to: 'accounts', because: 'it signs in to an account' },
  { from: 'google', to: 'profile', because: "a name that Google knows is checked like one's own" },
  { from: 'profile', to: 'accounts', because: 'a profile belongs to who is signed in' },
  { from: 'publishing', to: 'blog', because: 'what is published are posts' },
  { from: 'submissions', to: 'contact', because: 'releasing a message sends its mails' },
  { from: 'submissions', to: 'careers', because: 'releasing an inquiry sends its mails' },
  { from: 'dev', to: 'blog', because: "Astro's dev server draws drafts and the editor too" },
  { from: 'dev', to: 'profile', because: "Astro's dev server draws the page of a profile too" },
  ...['account-settings', 'accounts', 'careers', 'contact', 'google', 'newsletter'].map((to) => ({
    from: 'dev',
    to,
    because: 'developers see every mail before it is sent',
  })),
];

const inApi = (files: readonly SourceFile[]): SourceFile[] =>
  files.filter(({ path }) => path.startsWith(api) && !isTest(path));

/** The folder of a file in apps/api/src; '' for the files beside the folders. */
const folderOf = (path: string): string => {
  const parts = path.slice(api.length).split('/');
  return parts.length > 1 ? (parts[0] ?? '') : '';
};

/** HTTP outside of where it belongs: the app, the folder http/ and each feature's routes.ts. */
export const strayHttp = (files: readonly SourceFile[]): string[] =>
  inApi(files)
    .filter(({ path }) => {
      const folder = folderOf(path);
      return folder !== 'http' && folder !== '' && !path.endsWith('/routes.ts');
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
