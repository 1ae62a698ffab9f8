import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Database } from '@app/db/open';
import * as v from 'valibot';
import { replaceFiles } from '../files/atomic-files.ts';
import { entriesAfter, everything, reachesBackTo } from './log.ts';
import type { Site } from './site.ts';

const maxPathsPerRequest = 100;

/** More changed paths than this are replaced by `everything`. */
const maxPaths = 1_000;

const hookPosition = v.strictObject({
  database: v.string(),
  /** The served release. Another one can differ in all paths. */
  release: v.string(),
  /** Up to this entry of the log, everything was sent. */
  seq: v.number(),
});

export type HookPosition = v.InferOutput<typeof hookPosition>;

/** The body of a request. A retry sends the same one. */
export interface HookMessage {
  id: string;
  paths: string[];
  /** When the first of the paths changed, in milliseconds since 1970. */
  time: number;
  /** The position after it. */
  position: HookPosition;
}

const positionFile = (dataDir: string): string => join(dataDir, 'publish-hook.json');

/** Null if nothing was sent yet. */
export async function readPosition(dataDir: string): Promise<HookPosition | null> {
  try {
    return v.parse(hookPosition, JSON.parse(await readFile(positionFile(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

export const writePosition = (dataDir: string, position: HookPosition): Promise<void> =>
  replaceFiles(new Map([[positionFile(dataDir), Buffer.from(`${JSON.stringify(position)}\n`)]]));

interface Published {
  db: Database;
  site: Pick<Site, 'release' | 'origin'>;
  publishedSeq: () => number;
}

/** Null if there is nothing to send. */
export function nextMessage(
  { db, site, publishedSeq }: Published,
  from: HookPosition | null,
  now: number,
): HookMessage | null {
  const { release, origin } = site;
  if (!release || !origin) return null;
  const upTo = publishedSeq();
  const position = { database: origin.database, release: basename(release.folder), seq: upTo };
  const all = { paths: [everything], time: now, position };
  const isSameSite = from?.database === position.database && from.release === position.release;
  if (!isSameSite) return { id: `${position.release}-${upTo}`, ...all };
  if (upTo <= from.seq) return null;
  const idTo = (seq: number): string => `${position.release}-${from.seq}-${seq}`;
  if (!reachesBackTo(db, from.seq)) return { id: idTo(upTo), ...all };
  const changed = entriesOf(db, from.seq, upTo);
  if (changed.length > maxPaths) return { id: idTo(upTo), ...all };
  const paths = changed.slice(0, maxPathsPerRequest);
  const last = changed.at(maxPathsPerRequest);
  const seq = last ? last.seq - 1 : upTo;
  return {
    id: idTo(seq),
    paths: paths.map(({ path }) => path),
    time: paths[0]?.createdAt ?? now,
    position: { ...position, seq },
  };
}

/** The first entry of each path. Reads only a few more than are sent. */
function entriesOf(db: Database, after: number, upTo: number) {
  const byPath = new Map<string, { path: string; seq: number; createdAt: number }>();
  for (const entries of entriesAfter(db, after)) {
    for (const entry of entries) {
      if (entry.seq <= upTo && !byPath.has(entry.path)) byPath.set(entry.path, entry);
    }
    if (byPath.size > maxPaths) break;
  }
  return [...byPath.values()];
}
