import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** File names relative to the folder. Those that begin with a dot are never served. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

const isHidden = (name: string): boolean =>
  name.split('/').some((part) => part.startsWith('.') && part !== '.well-known');

/** The published files, without temporary files. */
export const listPublished = (folder: string): string[] =>
  listFiles(folder).filter((name) => !isHidden(name));

const endings: Record<string, RegExp> = {
  html: /<\/html>\s*$/,
  xml: /<\/(?:rss|feed|urlset|sitemapindex)>\s*$/,
  json: /\}\s*$/,
};

export function unfinishedFiles(folder: string): string[] {
  return listPublished(folder).filter((name) => {
    const ending = endings[name.split('.').at(-1) ?? ''];
    return ending !== undefined && !ending.test(readFileSync(join(folder, name), 'utf8'));
  });
}

function firstDifference(found: string, expected: string): string | null {
  if (found === expected) return null;
  let at = 0;
  while (found[at] === expected[at]) at += 1;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 120));
  return `byte ${at} of ${found.length}, ${around(found)} instead of ${around(expected)}`;
}

export function siteDifferences(folder: string, fresh: string): string[] {
  const [files, expected] = [new Set(listPublished(folder)), new Set(listPublished(fresh))];
  const read = (root: string, name: string) => readFileSync(join(root, name), 'latin1');
  const differing = [...files.intersection(expected)].flatMap((name) => {
    const difference = firstDifference(read(folder, name), read(fresh, name));
    return difference === null ? [] : [`${name} differs: ${difference}`];
  });
  return [
    ...[...files.difference(expected)].map((name) => `${name} is left over`),
    ...[...expected.difference(files)].map((name) => `${name} is missing`),
    ...differing,
  ];
}

/**
 * Temporary files and releases of an earlier process that the current one does not remove within ten
 * seconds.
 * @param startedAt the start of the current process, in milliseconds since 1970
 */
export async function leftovers(dataDir: string, startedAt: number): Promise<string[]> {
  const end = Date.now() + 10_000;
  for (;;) {
    const left = olderThan(startedAt, dataDir);
    if (left.length === 0 || Date.now() > end) return left;
    await pause(50);
  }
}

function olderThan(startedAt: number, dataDir: string): string[] {
  const served = readlinkSync(join(dataDir, 'site'));
  const releases = readdirSync(join(dataDir, 'releases'))
    .map((name) => join('releases', name))
    .filter((name) => name !== served && name !== `${served}.json`);
  const hidden = listFiles(join(dataDir, served))
    .filter(isHidden)
    .map((name) => join(served, name));
  const others = readdirSync(dataDir).filter((name) => name.startsWith('.'));
  return [...releases, ...hidden, ...others].filter((name) => {
    const found = lstatSync(join(dataDir, name), { throwIfNoEntry: false });
    return found === undefined || found.mtimeMs < startedAt;
  });
}
