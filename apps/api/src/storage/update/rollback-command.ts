import { CommandError, expectAtMost, type FolderCommand } from '../../cli/command.ts';
import { formatTable, formatTime } from '../../cli/table.ts';
import { type DatabaseCopy, listCopies } from './copies.ts';
import { RollbackError, rollBack } from './rollback.ts';

export const rollback: FolderCommand = {
  name: 'rollback',
  usage: '[<copy>]',
  summary: 'Lists the copies from before migrations, or puts one back, server stopped.',
  options: {},
  async runOnFolder({ dataDir, clock }, args) {
    expectAtMost(1, args);
    const copies = listCopies(dataDir);
    if (copies.length === 0) {
      throw new CommandError(
        `DATA_DIR ${dataDir} has no copy from before a migration: restore a backup instead.`,
      );
    }
    const [name] = args.positionals;
    if (name === undefined) return listOf(copies);
    const copy = copies.find((each) => each.name === name);
    if (!copy) {
      throw new CommandError(`There is no copy ${name}. There are:\n\n${listOf(copies)}`);
    }
    const former = orExplain(() => rollBack(dataDir, copy, clock.now()));
    return [
      `The database is that of ${formatTime(copy.madeAt)} UTC again, before the migration from ${copy.schema}.`,
      ...(former ? [`The one with everything that was written since is in ${former}.`] : []),
      'Start the version that you had then.\n',
    ].join('\n');
  },
};

const listOf = (copies: readonly DatabaseCopy[]): string =>
  formatTable(
    ['Copy', 'Made (UTC)', 'Size'],
    copies.map(({ name, madeAt, bytes }) => ({
      cells: [name, formatTime(madeAt), `${(bytes / 1e6).toFixed(1)} MB`],
    })),
    100,
  );

function orExplain<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (error instanceof RollbackError) throw new CommandError(`${message}. Nothing was changed.`);
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new CommandError('The disk is full; nothing was changed. Free some space, try again.');
    }
    if (/^E[A-Z]+$/.test(code)) {
      throw new CommandError(
        `${message}: nothing was changed. Make sure that this user may use it.`,
      );
    }
    throw error;
  }
}
