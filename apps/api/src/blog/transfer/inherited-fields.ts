import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, matchesGlob } from 'node:path';
import { type Field, type Fields, fieldsOf, isObject, keyOf, textOf, valuesOf } from './fields.ts';
import { parseSettings, readFrontMatter } from './front-matter.ts';

/** Fields that a file sets for other files. */
interface Settings {
  applies(name: string): boolean;
  fields: Fields;
  /** Whether it certainly applies, so that it replaces fields of outer folders. */
  isCertain: boolean;
  /** Of times without one. */
  zone?: string;
  /** Why it cannot be read. */
  problem?: string;
}

export interface Inherited {
  fields: Fields;
  /** The time zone of the source, such as America/New_York. */
  zone: string;
  notes: string[];
}

const maxBytes = 1_000_000;

const isSection = (name: string): boolean => /^_index\b/.test(basename(name));

/** Eleventy obeys both. */
export const isIgnoreFile = (name: string): boolean =>
  /^\.(?:eleventy|git)ignore$/.test(basename(name));

/** Of Jekyll and Hexo, such as `_config.production.yml`. */
const isUnderscoreConfig = (name: string): boolean =>
  /^_config\b.*\.(?:ya?ml|toml|json)$/.test(basename(name));

/** Of Hugo and Zola, also in Hugo's folders such as `config/_default`. */
const isConfig = (name: string): boolean =>
  /^(?:config\/\w+\/)?(?:hugo|config)\.(?:toml|ya?ml|json)$/.test(name);

/** Whether the file sets fields of other files: in Eleventy, Hexo, Hugo, Jekyll or Zola. */
export const isSettingsFile = (name: string): boolean =>
  isSection(name) ||
  isIgnoreFile(name) ||
  /\.11tydata\.[cm]?[jt]s$/.test(name) ||
  /\.(?:json|ya?ml|toml)$/.test(name);

const folderOf = (name: string): string => {
  const folder = dirname(name);
  return folder === '.' ? '' : `${folder}/`;
};

/**
 * Reads the files that set fields of others.
 * @param files their paths in the folder
 * @returns the fields that a post has unless it sets them itself
 */
export async function readInheritedFields(
  folder: string,
  files: readonly string[],
  posts: readonly string[],
): Promise<(name: string) => Inherited> {
  const all: Settings[] = [];
  // Outer folders first, because inner ones replace their fields.
  for (const name of files.toSorted((a, b) => folderOf(a).length - folderOf(b).length)) {
    const scope = scopeOf(name, basename(join(folder, dirname(name))), posts);
    if (scope === null) continue;
    const { size } = await stat(join(folder, name));
    if (size > maxBytes) all.push(unreadable(scope, name));
    else all.push(...settingsIn(name, scope, await readFile(join(folder, name), 'utf8')));
  }
  return (name) => merge(all.filter(({ applies }) => applies(name)));
}

/** The beginning of the paths that it applies to. Null if it applies to none. */
function scopeOf(name: string, folderName: string, posts: readonly string[]): string | null {
  if (isConfig(name)) return '';
  const folder = folderOf(name);
  const file = basename(name);
  if (isSection(name) || isIgnoreFile(name) || isUnderscoreConfig(name)) return folder;
  const subject = file.replace(/(?:\.11tydata)?\.\w+$/, '');
  if (subject === folderName) return folder;
  const scope = `${folder}${subject}.`;
  return posts.some((post) => post.startsWith(scope)) ? scope : null;
}

const under =
  (scope: string) =>
  (name: string): boolean =>
    name.startsWith(scope);

const unreadable = (scope: string, name: string): Settings => ({
  applies: under(scope),
  fields: new Map(),
  isCertain: false,
  problem: `${name} may withhold it and cannot be read: imported as a draft.`,
});

function settingsIn(name: string, scope: string, text: string): Settings[] {
  if (isIgnoreFile(name)) return excluded(scope, basename(name), text.split('\n'));
  if (/\.[cm]?[jt]s$/.test(name)) return [unreadable(scope, name)];
  const { values, problem } = isSection(name) ? readFrontMatter(text) : parseSettings(name, text);
  if (problem !== undefined) return [unreadable(scope, name)];
  if (values === null) return [];
  const fields = fieldsOf(values);
  if (isUnderscoreConfig(name) || isConfig(name)) return siteSettings(values, fields, scope);
  if (!isSection(name)) return [{ applies: under(scope), fields, isCertain: true }];
  return [
    // The pages of a draft section are not shown in Zola.
    { applies: under(scope), fields: only(fields, 'draft'), isCertain: true },
    ...cascadesIn(fields, scope),
  ];
}

const only = (fields: Fields, key: string): Fields => new Map([[key, fields.get(key) ?? []]]);

/** Hugo's `cascade`. Its target is not compared with the post, which it may withhold. */
const cascadesIn = (fields: Fields, scope: string): Settings[] =>
  valuesOf(fields, ['cascade'])
    .flat()
    .filter(isObject)
    .map((cascade) => {
      const fields = fieldsOf(cascade);
      const target = fields.get('target')?.[0]?.value;
      const kind = isObject(target) ? textOf(target['kind']) : '';
      const isOther = /^[a-z]+$/.test(kind) && kind !== 'page';
      return {
        applies: isOther ? () => false : under(scope),
        fields,
        isCertain: target === undefined,
      };
    });

/** Fields with paths, or patterns of paths, that Jekyll, Hexo, Hugo or Zola leave out. */
const exclusions = ['exclude', 'ignore', 'skip_render', 'ignored_content'];

/** Of a whole site: Jekyll's defaults, Hugo's cascades, excluded files, and the time zone. */
function siteSettings(
  values: Readonly<Record<string, unknown>>,
  fields: Fields,
  scope: string,
): Settings[] {
  const defaults = [values['defaults']].flat().filter(isObject);
  const [zone = ''] = valuesOf(fields, ['timezone']).map(textOf);
  return [
    ...(zone === '' ? [] : [{ applies: under(scope), fields: new Map(), isCertain: false, zone }]),
    ...defaults.flatMap(({ scope: inner, values: given }) => {
      if (!isObject(given)) return [];
      const { path, type } = isObject(inner) ? inner : {};
      if (type === 'pages') return [];
      const applies = within(scope, textOf(path));
      return [{ applies, fields: fieldsOf(given), isCertain: false }];
    }),
    ...exclusions.flatMap((name) => excluded(scope, name, valuesOf(fields, [keyOf(name)]).flat())),
    ...excluded(scope, 'ignoreFiles', valuesOf(fields, ['ignorefiles']).flat().map(globOf)),
    ...cascadesIn(fields, scope),
  ];
}

/**
 * @param name of the list, for the note
 * @param paths or patterns; an exception such as `!a.md` has no effect
 */
const excluded = (scope: string, name: string, paths: readonly unknown[]): Settings[] =>
  paths
    .map(textOf)
    .filter((path) => path !== '' && !/^[#!]/.test(path))
    .map((path) => ({
      applies: within(scope, path),
      fields: new Map([['excluded', [{ name, value: path }]]]),
      isCertain: false,
    }));

/** For a regular expression of Hugo, such as `\\.Rmd$`. Others than simple ones may match any path. */
function globOf(expression: unknown): string {
  const text = textOf(expression);
  if (text === '' || /[()[\]{}|+?]/.test(text)) return text && '**';
  return `**/*${text
    .replace(/^\^|\$$/g, '')
    .replaceAll('.*', '*')
    .replaceAll('\\', '')}*`;
}

/** Whether a path, or a pattern of paths, leads to a post, from any folder of the scope. */
function within(scope: string, path: string): Settings['applies'] {
  const full = path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  if (full === '') return under(scope);
  return (name) => {
    if (!name.startsWith(scope)) return false;
    const parts = name.slice(scope.length).split('/');
    return parts.some((_, index) => {
      const rest = parts.slice(index).join('/');
      return (
        rest === full ||
        rest.startsWith(`${full}/`) ||
        matchesGlob(rest, full) ||
        matchesGlob(rest, `${full}/**`)
      );
    });
  };
}

function merge(all: readonly Settings[]): Inherited {
  const fields = new Map<string, Field[]>();
  for (const { fields: found, isCertain } of all) {
    for (const [key, values] of found) {
      if (values.length === 0) continue;
      fields.set(key, [...(isCertain ? [] : (fields.get(key) ?? [])), ...values]);
    }
  }
  const zone = all.findLast((settings) => settings.zone !== undefined)?.zone ?? 'UTC';
  return { fields, zone, notes: all.flatMap(({ problem }) => problem ?? []) };
}

/** A post's own fields replace those that it would inherit. */
export const withInherited = (own: Fields, inherited: Fields): Fields =>
  new Map([...inherited, ...own]);
