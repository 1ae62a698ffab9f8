import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, matchesGlob } from 'node:path';
import { type Field, type Fields, fieldsOf, isObject, textOf } from './fields.ts';
import { parseSettings, readFrontMatter } from './front-matter.ts';

/** Fields that a file sets for other files. */
interface Settings {
  applies(name: string): boolean;
  fields: Fields;
  /** Whether it certainly applies, so that it replaces fields of outer folders. */
  isCertain: boolean;
  /** Why it cannot be read. */
  problem?: string;
}

export interface Inherited {
  fields: Fields;
  notes: string[];
}

const maxBytes = 1_000_000;

const isSection = (name: string): boolean => /^_index\b/.test(basename(name));

/** Whether the file sets fields of other files: in Eleventy, Hugo, Jekyll or Zola. */
export function isSettingsFile(name: string): boolean {
  const file = basename(name);
  if (isSection(name) || /\.11tydata\.(?:json|[cm]?[jt]s)$/.test(file)) return true;
  if (/^_config\.ya?ml$/.test(file)) return true;
  if (/^(?:hugo|config)\.(?:toml|ya?ml|json)$/.test(name)) return true;
  return file.endsWith('.json');
}

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
  const folder = folderOf(name);
  const file = basename(name);
  if (isSection(name) || /^(?:_config|hugo|config)\.[a-z]+$/.test(file)) return folder;
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
  if (/\.[cm]?[jt]s$/.test(name)) return [unreadable(scope, name)];
  const { values, problem } = isSection(name) ? readFrontMatter(text) : parseSettings(name, text);
  if (problem !== undefined) return [unreadable(scope, name)];
  if (values === null) return [];
  if (basename(name).startsWith('_config.')) return jekyllSettings(values, scope);
  const isConfig = /^(?:hugo|config)\.[a-z]+$/.test(name);
  if (!isSection(name) && !isConfig) {
    return [{ applies: under(scope), fields: fieldsOf(values), isCertain: true }];
  }
  const fields = fieldsOf(values);
  return [
    // The pages of a draft section are not shown in Zola.
    ...(isConfig
      ? []
      : [{ applies: under(scope), fields: only(fields, 'draft'), isCertain: true }]),
    ...(fields.get('cascade') ?? []).flatMap(({ value }) => cascades(value, scope)),
  ];
}

const only = (fields: Fields, key: string): Fields => new Map([[key, fields.get(key) ?? []]]);

/** Hugo's `cascade`. Its target is not compared with the post, which it may withhold. */
const cascades = (value: unknown, scope: string): Settings[] =>
  [value]
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

/** Jekyll's defaults and excluded files. */
function jekyllSettings(values: Readonly<Record<string, unknown>>, scope: string): Settings[] {
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const defaults = list(values['defaults']).filter(isObject);
  return [
    ...defaults.flatMap(({ scope: inner, values: given }) => {
      if (!isObject(given)) return [];
      const { path, type } = isObject(inner) ? inner : {};
      if (type === 'pages') return [];
      const applies = within(scope, textOf(path));
      return [{ applies, fields: fieldsOf(given), isCertain: false }];
    }),
    ...list(values['exclude']).map((path) => ({
      applies: textOf(path) === '' ? () => false : within(scope, textOf(path)),
      fields: new Map([['excluded', [{ name: 'exclude', value: path }]]]),
      isCertain: false,
    })),
  ];
}

function within(scope: string, path: string): Settings['applies'] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0) return under(scope);
  const full = `${scope}${parts.join('/')}`;
  return (name) =>
    name === full ||
    name.startsWith(`${full}/`) ||
    matchesGlob(name, full) ||
    matchesGlob(name, `${full}/**`);
}

function merge(all: readonly Settings[]): Inherited {
  const fields = new Map<string, Field[]>();
  for (const { fields: found, isCertain } of all) {
    for (const [key, values] of found) {
      if (values.length === 0) continue;
      fields.set(key, [...(isCertain ? [] : (fields.get(key) ?? [])), ...values]);
    }
  }
  return { fields, notes: all.flatMap(({ problem }) => problem ?? []) };
}

/** A post's own fields replace those that it would inherit. */
export const withInherited = (own: Fields, inherited: Fields): Fields =>
  new Map([...inherited, ...own]);
