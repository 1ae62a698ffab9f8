import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const shippedMigrations = fileURLToPath(new URL('../../migrations', import.meta.url));

interface Entry {
  idx: number;
  when: number;
  tag: string;
}

const journalIn = (migrations: string): string => join(migrations, 'meta', '_journal.json');

/** Names of the shipped migrations, oldest first. */
export const migrationTags = (
  JSON.parse(readFileSync(journalIn(shippedMigrations), 'utf8')) as { entries: Entry[] }
).entries.map(({ tag }) => tag);

/**
 * The shipped migrations up to that one, as an earlier version of the program had them.
 * @param folder receives them
 */
export function earlierMigrations(folder: string, tag: string): string {
  return changeJournal(folder, (entries) =>
    entries.slice(0, entries.findIndex((entry) => entry.tag === tag) + 1),
  );
}

/**
 * The shipped migrations and one more, as the next version of the program would have them.
 * @param folder receives them
 */
export function nextMigrations(folder: string, statements: string): string {
  changeJournal(folder, (entries) => {
    const last = entries.at(-1);
    if (!last) throw new Error('no migrations');
    return [...entries, { ...last, idx: last.idx + 1, when: last.when + 1, tag: 'next' }];
  });
  writeFileSync(join(folder, 'next.sql'), statements);
  return folder;
}

function changeJournal(folder: string, change: (entries: Entry[]) => Entry[]): string {
  cpSync(shippedMigrations, folder, { recursive: true });
  const { entries, ...rest } = JSON.parse(readFileSync(journalIn(folder), 'utf8')) as {
    entries: Entry[];
  };
  writeFileSync(journalIn(folder), JSON.stringify({ ...rest, entries: change(entries) }));
  return folder;
}
