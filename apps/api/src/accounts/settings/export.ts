import { basename } from 'node:path';
import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import { makeZip } from 'client-zip';
import type { ExportedFile } from '../profile/user-data.ts';
import { accountRecord } from './account-record.ts';
import type { Deps } from './deps.ts';

/**
 * Everything stored about a user, as a zip. Streamed, because it may be large. An error aborts it,
 * because a partial export must not look complete.
 */
export const exportAccount = (deps: Deps, userId: string): ReadableStream<Uint8Array> =>
  makeZip(exportedFiles(deps, userId));

async function* exportedFiles(
  {
    db,
    clock,
    avatars,
    userData,
    log,
  }: Pick<Deps, 'db' | 'clock' | 'avatars' | 'userData' | 'log'>,
  userId: string,
): AsyncGenerator<ExportedFile> {
  try {
    const now = clock.now();
    const record = accountRecord(db, userData, userId, now);
    yield {
      name: 'account.json',
      input: `${JSON.stringify(record, null, 2)}\n`,
      lastModified: new Date(now),
    };
    if (record.profile) yield* avatarFiles(avatars, userId, record.profile);
    for (const feature of userData) yield* feature.exportFiles?.(db, userId) ?? [];
  } catch (error) {
    // Not reached if the reader cancels.
    log.error({ err: error }, 'an export was interrupted');
    throw error;
  }
}

async function* avatarFiles(
  avatars: Deps['avatars'],
  userId: string,
  { avatarUrl, updatedAt }: { avatarUrl: string | null; updatedAt: string },
): AsyncGenerator<ExportedFile> {
  if (avatarUrl === null) return;
  for (const file of [avatarUrl, smallAvatarUrl(avatarUrl)].map((url) => basename(url))) {
    const bytes = await avatars.read(userId, file);
    // The avatar was replaced during the export.
    if (!bytes) continue;
    yield { name: `pictures/${file}`, input: bytes, lastModified: new Date(updatedAt) };
  }
}
