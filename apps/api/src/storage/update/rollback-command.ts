import * as v from 'valibot';
import { defineCommand } from '../../cli/command.ts';
import { requireOwnDatabase } from '../../cli/database.ts';
import { CommandError } from '../../cli/errors.ts';
import { explainExpected } from '../../cli/explain.ts';
import { megabytes } from '../../cli/megabytes.ts';
import { count, time } from '../../cli/schemas.ts';
import { formatTable, formatTime } from '../../cli/table.ts';
import { optional, text } from '../../cli/values.ts';
import { toIso } from '../../clock.ts';
import { replaceFailures } from '../data-folder/explain.ts';
import { type DatabaseCopy, listCopies } from './copies.ts';
import { rollBack } from './rollback.ts';

const copySchema = v.strictObject({
  name: v.string(),
  /** The newest migration in it. */
  schema: v.string(),
  bytes: count,
  madeAt: time,
});

type Copy = v.InferOutput<typeof copySchema>;

export const rollback = defineCommand({
  name: 'rollback',
  summary: 'Lists the pre-migration copies, or restores one. Stop the server first.',
  uses: 'folder',
  arguments: { copy: optional(text('copy', 'The name of the copy to restore.')) },
  options: {},
  examples: ['rollback', 'rollback 0019_post_tags-2026-03-01T12-00-00.000Z.db'],
  result: v.strictObject({
    copies: v.array(copySchema),
    restored: v.nullable(copySchema),
    /** The folder with the database that was replaced. */
    previous: v.nullable(v.string()),
  }),
  async run({ dataDir, clock, settings }, given) {
    requireOwnDatabase(settings);
    const found = listCopies(dataDir);
    const copies = found.map(toCopy);
    if (found.length === 0) {
      throw new CommandError(
        'not_found',
        `DATA_DIR ${dataDir} has no pre-migration copy: restore a backup instead.`,
      );
    }
    const name = given.arguments.copy;
    if (name === undefined) return { copies, restored: null, previous: null };
    const copy = found.find((each) => each.name === name);
    if (!copy) {
      throw new CommandError(
        'not_found',
        `There is no copy ${name}. There are:\n\n${formatCopies(copies)}`,
      );
    }
    try {
      const previous = rollBack(dataDir, copy, clock.now());
      return { copies, restored: toCopy(copy), previous };
    } catch (error) {
      throw explainExpected(error, replaceFailures);
    }
  },
  format({ copies, restored, previous }) {
    if (restored === null) return formatCopies(copies);
    return [
      `Restored the database of ${formatTime(restored.madeAt)} UTC, as it was before the migration from ${restored.schema}.`,
      ...(previous
        ? [`The replaced database, with everything written since, is in ${previous}.`]
        : []),
      'Start the version that you had then.\n',
    ].join('\n');
  },
});

const toCopy = ({ name, schema, bytes, madeAt }: DatabaseCopy): Copy => ({
  ...{ name, schema, bytes },
  madeAt: toIso(madeAt),
});

const formatCopies = (copies: readonly Copy[]): string =>
  formatTable(
    ['Copy', 'Made (UTC)', 'Size'],
    copies.map(({ name, madeAt, bytes }) => ({
      cells: [name, formatTime(madeAt), megabytes(bytes)],
    })),
    100,
  );
