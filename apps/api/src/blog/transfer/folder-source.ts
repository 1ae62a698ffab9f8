import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { limits } from '@app/contract/limits';
import { latest, timeOf } from './dates.ts';
import { type Fields, fieldsOf, firstText, isObject, textOf, valuesOf } from './fields.ts';
import { type MarkdownFile, readFrontMatter } from './front-matter.ts';
import {
  type Inherited,
  isIgnoreFile,
  isSettingsFile,
  readInheritedFields,
  withInherited,
} from './inherited-fields.ts';
import { oldSlugsIn, readExportedPost } from './post-file.ts';
import { idOfKey } from './post-id.ts';
import { publicationOf, withheldParts } from './publication.ts';
import { type SkippedItem, type Source, SourceError, type SourcePost } from './source.ts';

const maxFiles = 100_000;
const maxDepth = 20;

/** Per file: the longest text in UTF-8 and its front matter. */
const maxBytes = 4 * limits.content;

const isMarkdown = (name: string): boolean => /\.(?:md|mdx|markdown|mkd|mkdn|mdown)$/i.test(name);

/** Folders of tools, except those in which Jekyll and Hexo keep posts. */
const isToolFolder = (name: string): boolean => /^_(?!posts$|drafts$)/i.test(name);

/** For files of other systems only, because a post of this site may have such a slug. */
const notPosts = /^(?:_(?!index\b).*|(?:README|LICENSE|CHANGELOG)\.md)$/i;

/** Reads Markdown files from this site's export, or from Astro, Eleventy, Hexo, Hugo or Jekyll. */
export async function openFolder(folder: string, siteUrl: string | null): Promise<Source> {
  const { posts, settings } = await listFiles(folder);
  if (posts.length === 0) {
    throw new SourceError(`${folder} has no Markdown files with front matter.`);
  }
  const inheritedOf = await readInheritedFields(folder, settings, posts);
  return {
    kind: 'folder of Markdown',
    count: posts.length,
    siteUrl,
    async *items() {
      const bundles = bundlesIn(settings, posts);
      for (const name of posts) {
        const inherited = inheritedOf(name);
        if (isBundled(name, bundles)) {
          inherited.notes.push('Hugo shows it only as a part of index.md: imported as a draft.');
        }
        if (isOmittedByJekyll(name, settings)) {
          inherited.notes.push('Jekyll needs a date in its file name: imported as a draft.');
        }
        yield await readItem(folder, name, inherited);
      }
    },
  };
}

/** Paths in the folder. */
interface Files {
  posts: string[];
  /** They set fields of posts. */
  settings: string[];
}

async function listFiles(folder: string): Promise<Files> {
  const files: Files = { posts: [], settings: [] };
  async function visit(path: string, depth: number): Promise<void> {
    if (depth > maxDepth) return;
    const entries = await readdir(path, { withFileTypes: true });
    // The same order on every system.
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = join(path, entry.name);
      const isHidden = entry.name.startsWith('.') && !isIgnoreFile(entry.name);
      if (isHidden || entry.name === 'node_modules') continue;
      // Symbolic links are not followed, because they may lead out of the folder.
      if (entry.isDirectory()) await visit(file, depth + 1);
      else if (entry.isFile()) add(relative(folder, file).split(sep).join('/'));
    }
  }
  function add(name: string): void {
    if (isMarkdown(name)) files.posts.push(name);
    if (isSettingsFile(name)) files.settings.push(name);
    if (files.posts.length > maxFiles) {
      throw new SourceError(
        `${folder} has more than ${maxFiles.toLocaleString('en-US')} Markdown files.`,
      );
    }
  }
  await visit(folder, 0);
  return files;
}

/** Hugo's folders whose index.md is a post, and other files its parts. */
function bundlesIn(settings: readonly string[], posts: readonly string[]): Set<string> {
  const isHugo = settings.some((name) => /(?:^|\/)_index\b|^(?:hugo|config)\.toml$/.test(name));
  const indexes = posts.filter((name) => isHugo && /(?:^|\/)index\b[^/]*$/.test(name));
  return new Set(indexes.map((name) => dirname(name)));
}

function isBundled(name: string, bundles: ReadonlySet<string>): boolean {
  const folders = name.split('/').slice(0, -1);
  const isIndex = /^index\b/.test(basename(name));
  return folders.some((_, index) => {
    const folder = folders.slice(0, index + 1).join('/');
    return bundles.has(folder) && !(isIndex && index === folders.length - 1);
  });
}

async function readItem(
  folder: string,
  name: string,
  inherited: Inherited,
): Promise<SourcePost | SkippedItem> {
  const file = join(folder, name);
  try {
    const { size } = await stat(file);
    if (size > maxBytes) return { name, skipped: 'The file is too large for a post.' };
    const read = readFrontMatter(await readFile(file, 'utf8'));
    const exported = readExportedPost(name, read);
    if (exported) return { ...exported, exportFolder: folder };
    return notPost(name, read) ?? readForeignPost(name, basename(folder), read, inherited);
  } catch (error) {
    return { name, skipped: `It cannot be read: ${(error as Error).message}.` };
  }
}

function notPost(name: string, { values, problem }: MarkdownFile): SkippedItem | null {
  const folder = name.split('/').slice(0, -1).find(isToolFolder);
  if (folder) return { name, skipped: `It is in ${folder}, which is not a folder of posts.` };
  const file = basename(name);
  if (notPosts.test(file)) return { name, skipped: 'A file with this name is not a post.' };
  if (file.startsWith('_')) return { name, skipped: 'It is a section page.' };
  if (values === null && problem === undefined) return { name, skipped: 'It has no front matter.' };
  return null;
}

/** Such as 2020-01-31-my-post. */
const datedName = /^(\d{4}-\d{1,2}-\d{1,2})-(.+)$/;

/** Hexo, which has the same configuration file, has its posts in `source/_posts`. */
const isOmittedByJekyll = (name: string, settings: readonly string[]): boolean =>
  /(?<!(?:^|\/)source\/)(?<![^/])_posts\//.test(name) &&
  !datedName.test(basename(name)) &&
  settings.some(
    (file) =>
      /^_config\./.test(basename(file)) && name.startsWith(dirname(file).replace(/^\.$/, '')),
  );

/** Folders and files of drafts: _drafts (Jekyll, Hexo), drafts, my-post.draft.md (Nuxt). */
const draftPath =
  /(?:^|\/)_?(?:drafts?|unpublished|unlisted|private|hidden|trash|wip|internal)\/|\.(?:drafts?|unpublished|unlisted|private|hidden|wip)\.\w+$/i;

const createdKeys =
  'date pubdatetime pubdate publishdate publishedat publisheddate publishedon datepublished publicationdate published publish postdate dateposted posted createdat created datecreated creationdate datetime'.split(
    ' ',
  );
const updatedKeys =
  'updated lastmod updateddate updatedat moddatetime modified modifieddate datemodified lastmodified lastmodifiedat lastupdated lastupdatedat'.split(
    ' ',
  );

function readForeignPost(
  name: string,
  folderName: string,
  { values, problem, text }: MarkdownFile,
  inherited: Inherited,
): SourcePost {
  const fields = fieldsOf(values ?? {});
  const publication = publicationOf(withInherited(fields, inherited.fields), inherited.zone);
  const format = /\.mdx$/i.test(name) ? 'mdx' : 'markdown';
  const withheld = [...inherited.notes, ...withheldParts(text, format)];
  const notes = [...withheld, ...publication.notes];
  if (problem !== undefined) {
    notes.push(`Its front matter cannot be read (${problem}): imported as a draft.`);
  }
  const published =
    publication.published &&
    problem === undefined &&
    withheld.length === 0 &&
    !draftPath.test(`${folderName}/${name}`);
  const field = (...keys: string[]): string =>
    valuesOf(fields, keys)
      .map((value) => firstText(value, ['email', 'name']))
      .find((value) => value !== '') ?? '';
  const fileName = basename(name, extname(name));
  // In Hugo, my-post/index.md is named after its folder.
  const ownName = /^index$/i.test(fileName) ? (name.split('/').at(-2) ?? fileName) : fileName;
  const [, nameDate, namedSlug = ownName] = datedName.exec(ownName) ?? [];
  const nameTime = timeOf(nameDate);
  const permalink = field('permalink', 'url').replace(/\/(?:index\.html)?$|\.html$/, '');
  const [, urlSlug = ''] = /\/([^/]+)$/.exec(permalink) ?? [];
  return {
    name,
    scheduledAt: published
      ? latest(publication.from, latest(nameTime, timeOf(nameDate, inherited.zone)))
      : null,
    expiresAt: publication.until,
    // Used by Hugo, and by a plugin of Jekyll.
    oldSlugs: oldSlugsIn(valuesOf(fields, ['aliases', 'redirectfrom']).flat().map(textOf)),
    id: idOfKey(`folder:${name}`),
    title: field('title') || namedSlug.replace(/[-_]+/g, ' '),
    // Patterns such as /:year/:title/ and /{{ title | slugify }}/ are of the whole site.
    slug: field('slug') || (/[:{}]/.test(urlSlug) ? '' : urlSlug) || namedSlug,
    text,
    format,
    excerpt: field('description', 'excerpt', 'summary'),
    cover: coverOf(fields),
    tags: tagsOf(fields),
    published,
    createdAt: firstTime(fields, createdKeys) ?? nameTime,
    updatedAt: firstTime(fields, updatedKeys),
    author:
      valuesOf(fields, ['author', 'authors', 'email'])
        .map((value) => firstText(value, ['email', 'name']))
        .find((author) => author.includes('@')) ?? null,
    notes,
  };
}

const firstTime = (fields: Fields, keys: readonly string[]): number | null =>
  valuesOf(fields, keys)
    // In Material for MkDocs, a date has the time it was created.
    .map((value) => timeOf(isObject(value) ? value['created'] : value))
    .find((time) => time !== null) ?? null;

/** Categories are tags here. */
function tagsOf(fields: Fields): string[] {
  // A text with spaces is a list in Jekyll, unless its name is in the singular.
  const lists = valuesOf(fields, ['tags', 'categories']).flatMap((value) =>
    typeof value === 'string' ? value.split(/[,;]/.test(value) ? /[,;]/ : /\s+/) : [value],
  );
  return [...lists, ...valuesOf(fields, ['tag', 'category'])]
    .flat(2)
    .map((tag) => firstText(tag, ['label', 'name', 'title']))
    .filter((tag) => tag.toLowerCase() !== 'uncategorized');
}

const coverKeys =
  'cover coverimage image images heroimage hero featuredimage featureimage featured thumbnail thumb teaser banner bannerimage ogimage socialimage img photo header'.split(
    ' ',
  );

/** Such as `image: { path: … }` of Chirpy and `header: { teaser: … }` of Minimal Mistakes. */
const coverProperties =
  'src url path image file teaser feature overlay_image og_image thumbnail'.split(' ');

const coverOf = (fields: Fields): string =>
  valuesOf(fields, coverKeys)
    .map((value) => firstText(value, coverProperties))
    .find((cover) => /[./]/.test(cover)) ?? '';

export async function beginningOf(file: string): Promise<string> {
  const stream = createReadStream(file, { encoding: 'utf8', end: 16_383 });
  let text = '';
  for await (const part of stream) text += part;
  return text;
}
