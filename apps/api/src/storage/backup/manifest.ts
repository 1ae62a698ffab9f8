import * as v from 'valibot';
import { count, time } from '../../cli/schemas.ts';

/** Incremented when older versions of the program cannot read the new format. */
export const backupFormat = 1;

export const manifestName = 'manifest.json';

const manifestSchema = v.object({
  format: count,
  createdAt: time,
  versions: v.object({ schema: count, sqlite: v.string(), node: v.string() }),
  /** Rows by table. */
  counts: v.record(v.string(), count),
  /** By path in DATA_DIR, except the database. */
  files: v.record(
    v.string(),
    v.object({ bytes: count, sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)) }),
  ),
  /** Files that the database refers to but that were gone. */
  missing: v.array(v.string()),
});

/** The last entry of the archive, because it contains the hashes of all other entries. */
export type BackupManifest = v.InferOutput<typeof manifestSchema>;

export class BackupError extends Error {
  override name = 'BackupError';
  readonly code: 'invalid_file' | 'storage';

  constructor(message: string, { code = 'invalid_file', ...options }: BackupErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

interface BackupErrorOptions extends ErrorOptions {
  code?: BackupError['code'];
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
    throw new BackupError('it was made by a newer version of this program: use that version');
  }
  const result = v.safeParse(manifestSchema, json);
  if (!result.success) throw new BackupError(`its ${manifestName} was not written by this program`);
  return result.output;
}
