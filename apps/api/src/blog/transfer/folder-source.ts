import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { limits } from '@app/contract/limits';
import { timeOf } from './dates.ts';
import { type MarkdownFile, readFrontMatter } from './front-matter.ts';
import { oldSlugsIn, readExportedPost } from './post-file.ts';
import { idOfKey } from './post-id.ts';
import { type SkippedItem, type Source, SourceError, type SourcePost } from './source.ts';

const maxFiles = 100_000;
const maxDepth = 20;

/** Per file: the longest text in UTF-8 and its front matter. */
const maxBytes = 4 * limits.content;

const isMarkdown = (name: string): boolean => /\.(?:md|mdx|markdown)$/i.test(name);

/** Folders of tools, except those in which Jekyll keeps posts. */
const isToolFolder = (name: string): boolean =>
  /^(?:_.*|node_modules)$/i.test(name) && !/^_(?:posts|drafts)$/.test(name);

/** For files of other systems only, because a post of this site may have such a slug. */
const notPosts = /^(?:_(?!index\.).*|(?:README|LICENSE|CHANGELOG)\.md)$/i;

/** Reads Markdown files from this site's export, or from Astro, Hugo or Jekyll. */
export async function openFolder(folder: string): Promise<Source> {
  const names = await markdownFiles(folder);
  if (names.length === 0) {
    throw new SourceError(`${folder} has no Markdown files with front matter.`);
  }
  return {
    kind: 'folder of Markdown',
    count: names.length,
    async *items() {
      for (const name of names) yield await readItem(folder, name);
    },
  };
}

async function markdownFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  async function visit(path: string, depth: number): Promise<void> {
    if (depth > maxDepth) return;
    const entries = await readdir(path, { withFileTypes: true });
    // The same order on every system.
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      if (name.startsWith('.') || (entry.isDirectory() && isToolFolder(name))) continue;
      // Symbolic links are not followed, because they may lead out of the folder.
      if (entry.isDirectory()) await visit(join(path, name), depth + 1);
      else if (entry.isFile() && isMarkdown(name)) found.push(relative(folder, join(path, name)));
      if (found.length > maxFiles) {
        throw new SourceError(
          `${folder} has more than ${maxFiles.toLocaleString('en-US')} Markdown files.`,
        );
      }
    }
  }
  await visit(folder, 0);
  return found.map((name) => name.split(sep).join('/'));
}

async function readItem(folder: string, name: string): Promise<SourcePost | SkippedItem> {
  const file = join(folder, name);
  try {
    const { size } = await stat(file);
    if (size > maxBytes) return { name, skipped: 'The file is too large for a post.' };
    const read = readFrontMatter(await readFile(file, 'utf8'));
    const exported = readExportedPost(name, read);
    return exported ? { ...exported, exportFolder: folder } : readForeignPost(name, read);
  } catch (error) {
    return { name, skipped: `It cannot be read: ${(error as Error).message}.` };
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** Such as 2020-01-31-my-post. */
const datedName = /^(\d{4}-\d{1,2}-\d{1,2})-(.+)$/;

function readForeignPost(name: string, { values, text }: MarkdownFile): SourcePost | SkippedItem {
  if (notPosts.test(basename(name)))
    return { name, skipped: 'A file with this name is not a post.' };
  if (values === null) return { name, skipped: 'It has no front matter.' };
  const notes: string[] = [];
  const field = (...names: string[]): string =>
    names.map((each) => firstText(values[each])).find((value) => value !== '') ?? '';
  const fileName = basename(name, extname(name));
  // In Hugo, my-post/index.md is named after its folder.
  const ownName = /^_?index$/i.test(fileName) ? (name.split('/').at(-2) ?? fileName) : fileName;
  if (fileName === '_index') return { name, skipped: 'It is a section page.' };
  const [, nameDate, namedSlug = ownName] = datedName.exec(ownName) ?? [];
  const date =
    values['date'] ?? values['pubDate'] ?? values['publishDate'] ?? values['published_at'];
  const createdAt = timeOf(date) ?? timeOf(nameDate);
  if (createdAt === null) notes.push('It has no valid date, so it is dated today.');
  const updated =
    values['updated'] ?? values['lastmod'] ?? values['updatedDate'] ?? values['last_modified_at'];
  const isDraft =
    values['draft'] === true ||
    values['published'] === false ||
    name.split('/').includes('_drafts');
  const permalink = field('permalink', 'url').replace(/\/(?:index\.html)?$|\.html$/, '');
  return {
    name,
    scheduledAt: null,
    // Used by Hugo, and by a plugin of Jekyll.
    oldSlugs: oldSlugsIn([values['aliases'], values['redirect_from']].flat().map(textOf)),
    id: idOfKey(`folder:${name}`),
    title: field('title') || namedSlug.replace(/[-_]+/g, ' '),
    slug: field('slug') || permalink.split('/').at(-1) || namedSlug,
    text,
    format: /\.mdx$/i.test(name) ? 'mdx' : 'markdown',
    excerpt: field('description', 'excerpt', 'summary'),
    cover: coverOf(values),
    tags: tagsOf(values['tags']),
    published: !isDraft,
    createdAt,
    updatedAt: timeOf(updated),
    author: [field('author', 'authors', 'email')].find((author) => author.includes('@')) ?? null,
    notes,
  };
}

/** From a list, or from a text with commas, which `checkPost` splits. */
const tagsOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(textOf);

/** The text of the first item of a list, or of an object's email address or name. */
function firstText(value: unknown): string {
  if (Array.isArray(value)) return firstText(value[0]);
  if (value !== null && typeof value === 'object') {
    const { email, name } = value as Record<string, unknown>;
    return textOf(email) || textOf(name);
  }
  return textOf(value);
}

function coverOf(values: Readonly<Record<string, unknown>>): string {
  for (const name of [
    'cover',
    'image',
    'heroImage',
    'featured_image',
    'feature_image',
    'thumbnail',
  ]) {
    const value = values[name];
    const { src, url, image } = (value ?? {}) as Record<string, unknown>;
    const found = textOf(value) || textOf(src) || textOf(url) || textOf(image);
    if (found !== '') return found;
  }
  return '';
}

export async function beginningOf(file: string): Promise<string> {
  const stream = createReadStream(file, { encoding: 'utf8', end: 16_383 });
  let text = '';
  for await (const part of stream) text += part;
  return text;
}
