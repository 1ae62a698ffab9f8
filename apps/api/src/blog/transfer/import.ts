import { isEmailAddress, normalizeEmail } from '@app/contract/email-address';
import type { Database, Transaction } from '@app/db/open';
import { users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { batchesBySize } from '../../batches.ts';
import type { Progress } from '../../cli/progress.ts';
import { type Clock, toIso } from '../../clock.ts';
import { logChange } from '../../publishing/log.ts';
import { monthIndexPaths, pathsOf, postPath, postPaths } from '../pages/post-paths.ts';
import { createRelatedPaths } from '../pages/related-paths.ts';
import type { PictureFiles } from '../pictures/picture-files.ts';
import { findFreeSlug } from '../posts/free-slug.ts';
import { addOldSlugs, findSlugOwner } from '../posts/old-slugs.ts';
import { storeBody } from '../rendering/bodies.ts';
import type { RenderedPost } from '../rendering/body-process.ts';
import type { BodyRenderer } from '../rendering/body-renderer.ts';
import { addRevision } from '../revisions/revisions.ts';
import { type CheckedPost, checkPost } from './check-post.ts';
import type { TextConverter } from './convert/text-converter.ts';
import { importPictures } from './exported-pictures.ts';
import type { FetchedPictures } from './fetched-pictures.ts';
import { pictureUrl } from './site-url.ts';
import type { SkippedItem, Source, SourcePost } from './source.ts';

export interface Author {
  userId: string;
  email: string;
}

export interface ImportReport {
  published: number;
  drafts: number;
  skipped: number;
  /** Imported by an earlier run. */
  existing: number;
  /** Number of posts whose author has no account, by the email address in the source. */
  unknownAuthors: ReadonlyMap<string, number>;
  /** What was changed or skipped, by post. */
  notes: { name: string; note: string }[];
  isInterrupted: boolean;
}

interface ImportOptions {
  db: Database;
  files: PictureFiles;
  clock: Clock;
  source: Source;
  converter: Pick<TextConverter, 'convert'>;
  bodyRenderer: Pick<BodyRenderer, 'renderStored'>;
  /** Copies pictures from the web. */
  fetchedPictures?: FetchedPictures | null;
  /** For posts whose author has no account. */
  defaultAuthor: Author | null;
  isDryRun: boolean;
  signal: AbortSignal;
  onProgress: Progress;
}

/** Per transaction, which takes a few milliseconds. A server can write between two of them. */
const postsAtOnce = 50;

/** Characters rendered together, within the budget of one text. */
const charactersAtOnce = 200_000;

interface ReadyPost {
  post: SourcePost;
  checked: CheckedPost;
  body: RenderedPost;
}

type Written = Pick<CheckedPost, 'slug' | 'createdAt' | 'published' | 'tags'> & {
  id: string;
  oldSlugs: readonly string[];
};

/**
 * Imports posts in batches. Each post is converted, checked and rendered like a save; each batch is
 * written with the paths of its pages in one transaction. Ids are derived from the source, so that a
 * second run skips what an earlier one imported.
 */
export async function importPosts(options: ImportOptions): Promise<ImportReport> {
  const { source, signal, onProgress } = options;
  const run = createRun(options);
  let batch: SourcePost[] = [];
  let read = 0;
  for await (const item of source.items()) {
    if (signal.aborted) break;
    read += 1;
    if ('skipped' in item) run.skip(item);
    else batch.push(item);
    if (batch.length < postsAtOnce) continue;
    await run.importBatch(batch);
    onProgress(read / source.count);
    batch = [];
  }
  if (!signal.aborted) await run.importBatch(batch);
  return { ...run.report, isInterrupted: signal.aborted };
}

function createRun({
  source,
  db,
  files,
  clock,
  converter,
  bodyRenderer,
  fetchedPictures,
  defaultAuthor,
  isDryRun,
}: ImportOptions) {
  const related = createRelatedPaths(db);
  const unknownAuthors = new Map<string, number>();
  const report = {
    ...{ published: 0, drafts: 0, skipped: 0, existing: 0, unknownAuthors },
    notes: [] as ImportReport['notes'],
  };
  /** Slugs and ids so far, because a dry run does not write them. */
  const slugs = new Set<string>();
  const ids = new Set<string>();

  function skip({ name, skipped }: SkippedItem): void {
    report.skipped += 1;
    report.notes.push({ name, note: `Skipped: ${skipped}` });
  }

  function isNew({ id, name }: SourcePost): boolean {
    if (ids.has(id)) {
      skip({ name, skipped: 'Another post has the same id.' });
      return false;
    }
    ids.add(id);
    const stored = db
      .select({ deletedAt: blogPosts.deletedAt })
      .from(blogPosts)
      .where(eq(blogPosts.id, id))
      .get();
    if (!stored) return true;
    if (stored.deletedAt === null) report.existing += 1;
    else skip({ name, skipped: 'It was imported before, and is in the trash.' });
    return false;
  }

  async function check(post: SourcePost): Promise<Omit<ReadyPost, 'body'> | SkippedItem> {
    const { name } = post;
    const converted = await converter.convert(post);
    if ('problem' in converted) {
      return { name, skipped: `Its text cannot be used: ${converted.problem}.` };
    }
    const notes = [...post.notes, ...converted.notes];
    const local = await withPictures(post, converted, notes);
    const checked = await checkPost(
      db,
      { ...post, ...local.post, notes },
      local.markdown,
      clock.now(),
    );
    if ('problem' in checked) return { name, skipped: checked.problem };
    return { post, checked };
  }

  async function render(posts: readonly Omit<ReadyPost, 'body'>[]): Promise<ReadyPost[]> {
    const ready: ReadyPost[] = [];
    const lengthOf = ({ checked }: (typeof posts)[number]) => checked.content.length;
    for (const together of batchesBySize(posts, charactersAtOnce, lengthOf)) {
      const bodies = await bodyRenderer.renderStored(
        together.map(({ checked }) => checked.content),
      );
      for (const [index, { post, checked }] of together.entries()) {
        const body = bodies[index];
        if (!body) throw new Error(`${post.name} was not rendered`);
        if ('problem' in body) skip({ name: post.name, skipped: body.problem });
        else ready.push({ post, checked, body });
      }
    }
    return ready;
  }

  /** Completes the URLs of pictures, and replaces pictures on the web with copies on this site. */
  async function withPictures(
    post: SourcePost,
    { markdown, images }: { markdown: string; images: readonly string[] },
    notes: string[],
  ): Promise<{ post: Pick<SourcePost, 'cover'>; markdown: string }> {
    if (post.format === 'exact') return { post, markdown };
    const urlOf = (url: string) => pictureUrl(url, source.siteUrl ?? null);
    const all = [...images, post.cover].map((url) => [url, urlOf(url)] as const);
    const copies = await fetchedPictures?.fetchAll(
      all.map(([, url]) => url),
      userIdOf(post),
      notes,
    );
    const paths = Object.fromEntries(
      all.map(([old, url]) => [old, copies?.[url] ?? url]).filter(([old, url]) => old !== url),
    );
    const cover = paths[post.cover] ?? post.cover;
    if (Object.keys(paths).length === 0) return { post: { cover }, markdown };
    const local = await converter.convert({ format: 'exact', text: markdown, paths });
    return { post: { cover }, markdown: 'problem' in local ? markdown : local.markdown };
  }

  function userIdOf(post: SourcePost): string | null {
    const user = db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.email, emailOf(post)))
      .get();
    return user?.id ?? defaultAuthor?.userId ?? null;
  }

  async function addPictures({ post, checked }: ReadyPost): Promise<void> {
    const { exportFolder: folder } = post;
    if (folder === undefined) return;
    const site = { db, files, folder, now: clock.now(), isDryRun };
    checked.notes.push(...(await importPictures(site, checked, userIdOf(post))));
  }

  function findAuthor(tx: Transaction, email: string): Author | null {
    const user = tx.select({ id: users.id }).from(users).where(eq(users.email, email)).get();
    if (user) return { userId: user.id, email };
    unknownAuthors.set(email, (unknownAuthors.get(email) ?? 0) + 1);
    return defaultAuthor;
  }

  function write(tx: Transaction, { post, checked, body }: ReadyPost): Written {
    const { notes, ...fields } = checked;
    const { scheduledAt } = fields;
    const isTaken = (slug: string) => slugs.has(slug) || findSlugOwner(tx, slug) !== undefined;
    const slug = findFreeSlug(fields.slug, isTaken);
    const oldSlugs = post.oldSlugs.filter((old) => old !== slug);
    slugs.add(slug);
    if (slug !== fields.slug)
      notes.push(`The slug "${fields.slug}" is taken, so "${slug}" is used.`);
    const email = emailOf(post);
    const author = findAuthor(tx, email);
    if (scheduledAt !== null) {
      const time = toIso(scheduledAt);
      const unless = author ? '' : ', but will stay a draft: its author has no account';
      notes.push(`Scheduled for ${time}${unless}.`);
    }
    report[fields.published ? 'published' : 'drafts'] += 1;
    for (const note of notes) report.notes.push({ name: post.name, note });
    const row = {
      ...fields,
      ...{ id: post.id, slug, version: 1 },
      authorId: author?.userId ?? null,
      // Without an account that can publish it at that time, it stays a draft.
      scheduledBy: scheduledAt === null ? null : (author?.userId ?? null),
      authorEmail: author?.email ?? email,
    };
    if (isDryRun) return { ...row, oldSlugs };
    tx.insert(blogPosts).values(row).run();
    const added = addOldSlugs(tx, row, oldSlugs);
    storeBody(tx, post.id, body);
    addRevision(tx, row, row.authorId);
    return { ...row, oldSlugs: added };
  }

  function logPaths(tx: Transaction, posts: readonly Written[]): void {
    const published = posts.filter((post) => post.published);
    // Posts come before the lists that link to them.
    const paths = [
      ...published.flatMap(({ slug }) => postPaths(slug)),
      ...published.flatMap(({ oldSlugs }) => oldSlugs.flatMap(postPaths)),
      ...published.flatMap(({ slug, createdAt }) => pathsOf(slug, createdAt)),
      ...(published.length > 0 ? monthIndexPaths : []),
      ...related.ofTags(published),
      ...published.flatMap(related.ofNeighbors),
      // A draft hides a sample with the same slug.
      ...posts.map(({ slug }) => postPath(slug)),
    ];
    logChange(tx, clock.now(), paths);
  }

  return {
    report,
    skip,

    async importBatch(posts: readonly SourcePost[]): Promise<void> {
      const all = await Promise.all(posts.filter(isNew).map(check));
      for (const item of all) if ('skipped' in item) skip(item);
      const ready = await render(all.filter((item) => 'checked' in item));
      for (const post of ready) await addPictures(post);
      const writeAll = (tx: Transaction) => {
        // Another import may have written some since `isNew`.
        const missing = ready.filter(({ post }) => !isStored(tx, post.id));
        report.existing += ready.length - missing.length;
        const written = missing.map((post) => write(tx, post));
        if (!isDryRun && written.length > 0) logPaths(tx, written);
      };
      if (isDryRun) db.transaction(writeAll);
      else await writeTransaction(db, writeAll);
    },
  };
}

const isStored = (tx: Transaction, id: string): boolean =>
  tx.select({ id: blogPosts.id }).from(blogPosts).where(eq(blogPosts.id, id)).get() !== undefined;

/** '' if the source has no valid address. */
const emailOf = ({ author }: SourcePost): string =>
  author !== null && isEmailAddress(author) ? normalizeEmail(author) : '';
