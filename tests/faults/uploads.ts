import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { AvatarSaved } from '@app/contract/accounts/avatars';
import type { Picture } from '@app/contract/blog/picture-replies';
import { day } from '@app/contract/durations';
import { close, open } from '@app/db/open';
import type { Writer } from '../support/writer.ts';

/** Signed-in users who upload avatars and pictures, one at a time. */
export class Uploads {
  acknowledged = 0;
  readonly #sessions: readonly string[];
  readonly #pictures: readonly Buffer[];
  readonly #paths: string[] = [];
  /** By session; null while the outcome of an upload is unknown. */
  readonly #avatars = new Map<string, string | null>();
  #next = 0;

  constructor(sessions: readonly string[], pictures: readonly Buffer[]) {
    this.#sessions = sessions;
    this.#pictures = pictures;
  }

  async write(
    writerOf: (session: string) => Writer,
    isGone: () => boolean,
    notice: () => void,
  ): Promise<void> {
    while (!isGone()) {
      const n = this.#next;
      this.#next += 1;
      const session = this.#sessions[n % this.#sessions.length] ?? '';
      const picture = new Uint8Array(this.#pictures[n % this.#pictures.length] ?? []);
      const isAvatar = Math.floor(n / this.#sessions.length) % 2 === 0;
      const writer = writerOf(session);
      if (isAvatar) this.#avatars.set(session, null);
      const sent = isAvatar ? writer.upload(picture) : writer.uploadPicture(picture);
      notice();
      const reply = await sent
        .then(async (response) => ({ ok: response.ok, text: await response.text() }))
        .catch((error: unknown) => {
          if (error instanceof TypeError) return null;
          throw error;
        });
      if (reply && !reply.ok) throw new Error(`an upload was refused: ${reply.text}`);
      if (reply) {
        this.acknowledged += 1;
        const saved = JSON.parse(reply.text) as AvatarSaved & Picture;
        if (isAvatar) this.#avatars.set(session, saved.avatarUrl);
        else this.#paths.push(saved.path);
      }
      notice();
    }
  }

  lost(dataDir: string): string[] {
    const { avatars } = readUploads(dataDir);
    const isMissing = (path: string) => !existsSync(join(dataDir, path));
    return [
      ...this.#paths.map((path) => `uploads${path}`).filter(isMissing),
      ...[...this.#avatars].flatMap(([session, url]) => {
        if (url === null) return [];
        const stored = avatars.get(session.replace('session-of-', ''));
        if (stored !== url) return [`avatar ${url}: ${stored} is stored instead`];
        return isMissing(url) ? [`the file of avatar ${url}`] : [];
      }),
    ];
  }
}

function readUploads(dataDir: string) {
  const db = open(join(dataDir, 'site.db'));
  const avatars = db.$client
    .prepare<[], { id: string; avatar_url: string | null }>('SELECT id, avatar_url FROM profiles')
    .all();
  const pictures = db.$client.prepare<[], string>('SELECT id FROM pictures').pluck().all();
  close(db);
  return {
    avatars: new Map(avatars.map(({ id, avatar_url: url }) => [id, url])),
    pictures: new Set(pictures),
  };
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Uploaded files that no row refers to, and rows without files. */
export function orphanedUploads(dataDir: string): string[] {
  const { avatars, pictures } = readUploads(dataDir);
  const avatarFolder = join(dataDir, 'uploads/avatars');
  const unused = namesIn(avatarFolder).flatMap((user) => {
    const url = avatars.get(user) ?? null;
    const large = url?.split('/').at(-1) ?? '';
    const wanted = url === null ? [] : [large, large.replace('.webp', '-96.webp')];
    const names = namesIn(join(avatarFolder, user));
    return [
      ...names.filter((name) => !wanted.includes(name)),
      ...wanted.filter((name) => !names.includes(name)).map((name) => `missing: ${name}`),
    ].map((name) => `avatar of ${user}: ${name}`);
  });
  const folders = new Set(namesIn(join(dataDir, 'uploads/pictures')));
  return [
    ...unused,
    ...[...folders.difference(pictures)].map((id) => `picture ${id}`),
    ...[...pictures.difference(folders)].map((id) => `missing: picture ${id}`),
  ];
}

/** Makes unfinished pictures two days old: the cleanup deletes them after a day. */
export function ageStagedPictures(dataDir: string): void {
  const folder = join(dataDir, 'uploads/pictures');
  const time = new Date(Date.now() - 2 * day);
  for (const name of namesIn(folder)) {
    if (name.startsWith('.')) utimesSync(join(folder, name), time, time);
  }
}
