import * as v from 'valibot';
import { count, time } from '../../cli/schemas.ts';
import { counted } from '../../cli/table.ts';
import type { BackupManifest } from './manifest.ts';

export const contents = {
  createdAt: time,
  accounts: count,
  posts: count,
  messages: count,
  uploadedFiles: count,
};

export const archiveReport = {
  file: v.string(),
  bytes: count,
  ...contents,
  missing: v.array(v.string()),
};

export function contentsOf({ createdAt, counts, files }: BackupManifest) {
  return {
    createdAt,
    accounts: counts['users'] ?? 0,
    posts: counts['blog_posts'] ?? 0,
    messages: counts['contact_submissions'] ?? 0,
    // Without the database.
    uploadedFiles: Object.keys(files).length - 1,
  };
}

export const formatContents = (made: Omit<ReturnType<typeof contentsOf>, 'createdAt'>): string =>
  [
    counted(made.accounts, 'account'),
    counted(made.posts, 'post'),
    counted(made.messages, 'message'),
    counted(made.uploadedFiles, 'uploaded file'),
  ].join(', ');

export const formatMissing = (name: string): string =>
  `Not in the backup, because it was gone from DATA_DIR: ${name}`;
