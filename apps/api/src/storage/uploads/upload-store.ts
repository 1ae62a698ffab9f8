import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createAvatarFiles, isAvatarPath } from '../../accounts/profile/avatar-files.ts';
import { isPictureFile } from '../../blog/pictures/picture-files.ts';
import type { UploadsSettings } from '../../env.ts';
import { replaceFiles } from '../../files/atomic-files.ts';
import type { Bucket } from '../../s3/bucket.ts';
import { unlessMissing } from '../../unless-missing.ts';

/** Uploaded files. Their names are paths in DATA_DIR and keys in a bucket. */
export interface UploadStore {
  /** Includes files in the trash. */
  list(): AsyncGenerator<StoredUpload>;
  /** Null if it is missing. Also finds avatars in the trash, since they may have just been replaced. */
  read(name: string): Promise<Buffer | null>;
  /** Complete and flushed when it resolves. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

export interface StoredUpload {
  name: string;
  bytes: number;
  /** In hex; null if the store does not provide it. */
  md5: string | null;
}

const roots = ['uploads/avatars', 'uploads/pictures', 'trash'] as const;

const inTrash = /^trash\/\d{4}-\d\d-\d\d\/(?=avatars\/|pictures\/)/;

const isUploadName = (name: string): boolean => {
  const served = name.replace(inTrash, 'uploads/');
  return isAvatarPath(served) || isPictureFile(served);
};

/** @param uploads undefined if uploads are in DATA_DIR */
export async function openUploadStore(
  uploads: UploadsSettings | undefined,
  dataDir: string,
): Promise<UploadStore> {
  if (!uploads) return folderUploads(dataDir);
  const { openBucket } = await import('../../s3/bucket.ts');
  return bucketUploads(openBucket(uploads.location, uploads.credentials));
}

/** @param folder DATA_DIR, or a folder with the same structure */
export function folderUploads(folder: string): UploadStore {
  const avatars = createAvatarFiles(folder);

  return {
    async *list() {
      for (const root of roots) {
        const found = await unlessMissing(readdir(join(folder, root), { recursive: true }), []);
        for (const name of found.map((path) => `${root}/${path}`).filter(isUploadName)) {
          const entry = await unlessMissing(stat(join(folder, name)), null);
          if (entry?.isFile()) yield { name, bytes: entry.size, md5: null };
        }
      }
    },

    async read(name) {
      if (!isAvatarPath(name)) return unlessMissing(readFile(join(folder, name)), null);
      const [userId = '', file = ''] = name.split('/').slice(-2);
      for (;;) {
        const path = await avatars.find(userId, file);
        if (path === null) return null;
        const bytes = await unlessMissing(readFile(path), null);
        // It was moved to the trash just now: find it there.
        if (bytes) return bytes;
      }
    },

    write: (name, bytes) => replaceFiles(new Map([[join(folder, name), bytes]])),
  };
}

function bucketUploads(bucket: Bucket): UploadStore {
  let trash: Promise<Map<string, string>> | undefined;

  /** Keys by original name. */
  async function readTrash(): Promise<Map<string, string>> {
    const keys = new Map<string, string>();
    for await (const { key } of bucket.list('trash/')) {
      keys.set(key.replace(inTrash, 'uploads/'), key);
    }
    return keys;
  }

  return {
    async *list() {
      for (const root of roots) {
        for await (const { key, bytes, etag } of bucket.list(`${root}/`)) {
          const md5 = /^[\da-f]{32}$/.test(etag) ? etag : null;
          if (isUploadName(key)) yield { name: key, bytes, md5 };
        }
      }
    },

    async read(name) {
      const bytes = await bucket.get(name);
      if (bytes || !isAvatarPath(name)) return bytes;
      trash ??= readTrash();
      const key = (await trash).get(name);
      return key === undefined ? null : bucket.get(key);
    },

    write: (name, bytes) => bucket.put(name, bytes),
  };
}
