import { resolve } from 'node:path';
import type { Database } from '@app/db/open';
import { users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import {
  type Command,
  type CommandArguments,
  CommandError,
  expectAtMost,
  UsageError,
} from '../../cli/command.ts';
import { counted } from '../../cli/table.ts';
import { untilInterrupted } from '../../cli/until-interrupted.ts';
import { createImageProcessor } from '../../images/image-processor.ts';
import { createLog } from '../../log.ts';
import { createBodyRenderer } from '../rendering/body-renderer.ts';
import { createTextConverter } from './convert/text-converter.ts';
import { canExportTo, exportPosts } from './export.ts';
import { createFetchedPictures } from './fetched-pictures.ts';
import { type Author, importPosts } from './import.ts';
import { openSource } from './open-source.ts';
import { formatReport } from './report.ts';
import { SourceError } from './source.ts';

const exportCommand: Command = {
  name: 'posts export',
  usage: '<folder>',
  summary: 'Writes all posts, with drafts, as Markdown files to a new folder.',
  options: {},
  async run({ db, dataDir, progressBar }, args) {
    const folder = pathOf(args, 'a new folder, such as posts-2026-03-01');
    if (!canExportTo(folder))
      throw new CommandError(`${folder} is not empty: choose another folder.`);
    try {
      const exported = exportPosts(db, { dataDir, folder }, progressBar);
      const [posts, pictures] = [
        counted(exported.posts, 'post'),
        counted(exported.pictures, 'picture'),
      ];
      return `${folder} has ${posts} (${counted(exported.drafts, 'draft')}) and ${pictures}.\n`;
    } catch (error) {
      throw explain(error);
    }
  },
};

const importCommand: Command = {
  name: 'posts import',
  usage: '<path> [--author <email>] [--fetch] [--dry-run]',
  summary: 'Imports them, or posts of Ghost, WordPress, Astro, Hugo or Jekyll.',
  options: { author: 'text', fetch: 'flag', 'dry-run': 'flag' },
  async run({ db, dataDir, clock, progressBar }, args) {
    const path = pathOf(args, 'a file or folder, such as ghost-export.json');
    const isDryRun = args.options.has('dry-run');
    const fetches = args.options.has('fetch') && !isDryRun;
    const defaultAuthor = authorOf(db, args.options.get('author'));
    const log = createLog('silent');
    const converter = createTextConverter(log);
    const bodyRenderer = createBodyRenderer();
    try {
      const source = await openSource(path);
      const report = await untilInterrupted((signal) => {
        const images = createImageProcessor(log);
        const fetchedPictures = fetches
          ? createFetchedPictures({ db, dataDir, clock, images, signal })
          : null;
        return importPosts({
          ...{
            db,
            dataDir,
            clock,
            source,
            fetchedPictures,
            converter,
            bodyRenderer,
            defaultAuthor,
            isDryRun,
            signal,
          },
          onProgress: (done) => progressBar(done, source.count),
        });
      });
      const found = `${source.kind}: ${counted(source.count, 'post')}.\n`;
      return (
        found + formatReport(report, { isDryRun, defaultAuthor: defaultAuthor?.email ?? null })
      );
    } catch (error) {
      throw explain(error);
    } finally {
      bodyRenderer.close();
      await converter.end();
    }
  },
};

function pathOf(args: CommandArguments, example: string): string {
  expectAtMost(1, args);
  const [path] = args.positionals;
  if (path === undefined) throw new UsageError(`Specify ${example}.`);
  return resolve(path);
}

function authorOf(db: Database, given: string | undefined): Author | null {
  if (given === undefined) return null;
  const email = given.toLowerCase();
  const user = db.select({ id: users.id }).from(users).where(eq(users.email, email)).get();
  if (!user) throw new CommandError(`There is no account with the email ${given}.`);
  return { userId: user.id, email };
}

function explain(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof SourceError) return new CommandError(message);
  return /^E[A-Z]+$/.test(code) ? new CommandError(`${message}.`) : error;
}

export const postCommands: readonly Command[] = [exportCommand, importCommand];
