import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { replaceFile } from '../files/atomic-files.ts';

const publishState = v.strictObject({
  /** The build that rendered the pages. */
  build: v.string(),
  publicUrl: v.string(),
  /** The id of the database; see `databaseId`. */
  database: v.string(),
  /** Up to this entry of the log, everything is on the disk. */
  seq: v.number(),
  /** Up to this entry, every page was rendered or has failed, so that it will be retried. */
  tried: v.number(),
  /** False while social cards of a full render are missing. */
  hasCards: v.boolean(),
  /** When the release was created, in milliseconds since 1970. */
  createdAt: v.number(),
});

/** What a server remembers about its release, in a file beside the folder. */
export type PublishState = v.InferOutput<typeof publishState>;

export const stateFile = (folder: string): string => `${folder}.json`;

/** Null if it is missing or malformed. */
export async function readState(folder: string): Promise<PublishState | null> {
  try {
    return v.parse(publishState, JSON.parse(await readFile(stateFile(folder), 'utf8')));
  } catch {
    return null;
  }
}

/** Not flushed: after a power cut, an older state repeats more, and none renders everything. */
export const writeState = (folder: string, state: PublishState): Promise<void> =>
  replaceFile(stateFile(folder), Buffer.from(`${JSON.stringify(state)}\n`));
