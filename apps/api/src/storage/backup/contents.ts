import * as v from 'valibot';
import { count, time } from '../../cli/schemas.ts';
import { counted } from '../../cli/table.ts';
import type { BackupContents } from './archive.ts';

export const contents = {
  createdAt: time,
  accounts: count,
  posts: count,
  messages: count,
  uploadedFiles: count,
  missing: v.array(v.string()),
};

export const archiveReport = { file: v.string(), bytes: count, ...contents };

export const contentsOf = ({ createdAt, counts, uploadedFiles, missing }: BackupContents) => ({
  createdAt,
  accounts: counts['users'] ?? 0,
  posts: counts['blog_posts'] ?? 0,
  messages: counts['contact_submissions'] ?? 0,
  uploadedFiles,
  missing,
});

export const formatContents = (
  made: Omit<ReturnType<typeof contentsOf>, 'createdAt' | 'missing'>,
): string =>
  [
    counted(made.accounts, 'account'),
    counted(made.posts, 'post'),
    counted(made.messages, 'message'),
    counted(made.uploadedFiles, 'uploaded file'),
  ].join(', ');

export const formatMissing = (name: string): string =>
  `Not in the backup, because it was gone: ${name}`;
