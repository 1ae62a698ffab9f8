import { statSync } from 'node:fs';
import { normalizeEmail } from '@app/contract/email-address';
import type { Database } from '@app/db/open';
import { users } from '@app/db/schema/accounts';
import { storageFailureOf } from '@app/db/storage-failure';
import { eq } from 'drizzle-orm';
import * as v from 'valibot';
import { type AnyCommand, defineCommand } from '../../cli/command.ts';
import { CommandError, UsageError } from '../../cli/errors.ts';
import { count } from '../../cli/schemas.ts';
import { counted } from '../../cli/table.ts';
import { untilInterrupted } from '../../cli/until-interrupted.ts';
import { flag, path, text, type Value } from '../../cli/values.ts';
import { overlap } from '../../files/overlap.ts';
import { createImageProcessor } from '../../images/image-processor.ts';
import { createLog } from '../../log.ts';
import { S3Error } from '../../s3/errors.ts';
import { openPictureFiles } from '../pictures/open-picture-files.ts';
import { createBodyRenderer } from '../rendering/body-renderer.ts';
import { createTextConverter } from './convert/text-converter.ts';
import { canExportTo, exportPosts } from './export.ts';
import { createFetchedPictures } from './fetched-pictures.ts';
import { type Author, importPosts } from './import.ts';
import { openSource } from './open-source.ts';
import { formatReport, importResult } from './report.ts';
import { siteUrlOf } from './site-url.ts';
import { SourceError } from './source.ts';

const exportCommand = defineCommand({
  name: 'posts export',
  summary: 'Writes all posts, including drafts, as Markdown files to a new folder.',
  uses: 'database',
  arguments: { folder: path('folder', 'A missing or empty folder, such as posts-2026-03-01.') },
  options: {},
  examples: ['posts export posts-2026-03-01'],
  result: v.strictObject({
    ...{ folder: v.string(), posts: count, drafts: count, pictures: count },
    /** URLs of missing picture files. */
    missing: v.array(v.string()),
  }),
  async run({ db, dataDir, clock, settings, progress }, given) {
    const { folder } = given.arguments;
    const files = await openPictureFiles({ settings, dataDir, clock });
    try {
      if (statSync(folder, { throwIfNoEntry: false })?.isFile()) {
        throw new CommandError('conflict', `${folder} is a file: choose another folder.`);
      }
      if (overlap(folder, dataDir)) {
        throw new CommandError(
          'conflict',
          `${folder} and DATA_DIR ${dataDir} overlap: choose another folder.`,
        );
      }
      if (!canExportTo(folder)) {
        throw new CommandError('conflict', `${folder} is not empty: choose another folder.`);
      }
      return { folder, ...(await exportPosts(db, { files, folder }, progress)) };
    } catch (error) {
      throw explain(error);
    }
  },
  format({ folder, ...exported }) {
    const posts = `${counted(exported.posts, 'post')} (${counted(exported.drafts, 'draft')})`;
    return [
      `${folder} has ${posts} and ${counted(exported.pictures, 'picture')}.\n`,
      ...exported.missing.map((url) => `${url} is missing: the site has no such file.\n`),
    ].join('');
  },
});

const siteUrl: Value<string> = {
  placeholder: 'url',
  description: 'The site that the posts come from, for pictures and links that are only paths.',
  parse(given) {
    const url = siteUrlOf(given);
    if (url !== null) return url;
    throw new UsageError(`--source-url ${given}: expected a URL such as https://old.example.`);
  },
};

const importCommand = defineCommand({
  name: 'posts import',
  summary: 'Imports posts from this site, Ghost, WordPress, Astro, Hugo or Jekyll.',
  uses: 'database',
  arguments: { path: path('path', 'A file such as ghost-export.json, or a folder of Markdown.') },
  options: {
    author: text('email', 'The account that gets posts whose author has no account here.'),
    fetch: flag('Copies pictures from the web to this site.'),
    'source-url': siteUrl,
    'dry-run': flag('Reports what would be imported, and changes nothing.'),
  },
  examples: [
    'posts import posts-2026-03-01 --dry-run',
    'posts import ghost.json --source-url https://old.example --fetch',
  ],
  result: importResult,
  async run({ db, dataDir, clock, settings, progress }, given) {
    const isDryRun = given.options['dry-run'] ?? false;
    const fetches = given.options.fetch && !isDryRun;
    const defaultAuthor = authorOf(db, given.options.author);
    const log = createLog('silent');
    const converter = createTextConverter(log);
    const bodyRenderer = createBodyRenderer();
    const files = await openPictureFiles({ settings, dataDir, clock });
    try {
      const source = await openSource(given.arguments.path, given.options['source-url'] ?? null);
      const { unknownAuthors, ...report } = await untilInterrupted((signal) => {
        const images = createImageProcessor({ log });
        const fetchedPictures = fetches
          ? createFetchedPictures({ db, files, clock, images, signal })
          : null;
        return importPosts({
          ...{ db, files, clock, source, fetchedPictures, converter, bodyRenderer },
          ...{ defaultAuthor, isDryRun, signal },
          onProgress: progress,
        });
      });
      return {
        source: source.kind,
        found: source.count,
        ...report,
        unknownAuthors: [...unknownAuthors].map(([email, posts]) => ({ email, posts })),
        author: defaultAuthor?.email ?? null,
        isDryRun,
      };
    } catch (error) {
      throw explain(error);
    } finally {
      bodyRenderer.close();
      await converter.end();
    }
  },
  format: formatReport,
  exitCode: ({ isInterrupted }) => (isInterrupted ? 1 : 0),
});

function authorOf(db: Database, given: string | undefined): Author | null {
  if (given === undefined) return null;
  const email = normalizeEmail(given);
  const user = db.select({ id: users.id }).from(users).where(eq(users.email, email)).get();
  if (!user) throw new CommandError('not_found', `There is no account with the email ${given}.`);
  return { userId: user.id, email };
}

function explain(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof S3Error) return new CommandError('storage', `${message}.`);
  if (storageFailureOf(error) === 'full') return error;
  if (error instanceof SourceError) return new CommandError('invalid_file', message);
  return /^E[A-Z]+$/.test(code) ? new CommandError('file_system', `${message}.`) : error;
}

export const postCommands: readonly AnyCommand[] = [exportCommand, importCommand];
