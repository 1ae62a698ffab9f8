import * as v from 'valibot';

/** One more with every change that an older program cannot read. */
export const backupFormat = 1;

export const manifestName = 'manifest.json';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const manifestSchema = v.object({
  format: count,
  /** When the copy of the database was made (ISO 8601). */
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  /** Of the program that made it. */
  versions: v.object({ schema: count, sqlite: v.string(), node: v.string() }),
  /** Rows of the database by table. */
  counts: v.record(v.string(), count),
  /** Every other file of the archive, by its path in DATA_DIR. */
  files: v.record(
    v.string(),
    v.object({ bytes: count, sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)) }),
  ),
  /** Files that the database names and that were already gone. */
  missing: v.array(v.string()),
});

/** What is in a backup: the last entry of its archive, for it has the hashes of all others. */
export type BackupManifest = v.InferOutput<typeof manifestSchema>;

/** Why there is no backup, or none that can be restored: a sentence for the person who asked. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** @throws {BackupError} */
export function parseManifest(text: string): BackupManifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new BackupError(`its ${manifestName} cannot be read`);
  }
  const format = v.safeParse(v.object({ format: count }), json);
  if (format.success && format.output.format > backupFormat) {
    throw new BackupError('it was made by a newer version of this program: restore it with that');
  }
  const result = v.safeParse(manifestSchema, json);
  if (!result.success) throw new BackupError(`its ${manifestName} is not one of this program`);
  return result.output;
}
