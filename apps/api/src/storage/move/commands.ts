import { hostname } from 'node:os';
import { CopyDiffers, type CopySide, compareDatabases } from '@app/db/move/copy-database';
import { endMove, type Move, MoveInProgress, moveOf } from '@app/db/move/move-state';
import { storageFailureOf } from '@app/db/storage-failure';
import * as v from 'valibot';
import { type AnyCommand, defineCommand, type FolderContext } from '../../cli/command.ts';
import { explainShared, withWholeDatabase } from '../../cli/database.ts';
import { CommandError, UsageError } from '../../cli/errors.ts';
import { count } from '../../cli/schemas.ts';
import { counted } from '../../cli/table.ts';
import { untilInterrupted } from '../../cli/until-interrupted.ts';
import { required, type Value } from '../../cli/values.ts';
import { isDatabaseUrl } from '../../env.ts';
import { newId } from '../../tokens.ts';
import type { Destination } from './destination.ts';
import { openFolderDestination } from './folder-destination.ts';
import { type Moved, MoveTooSlow, moveDatabase } from './move-database.ts';
import { openServerDestination } from './server-destination.ts';

const folder = 'folder';

const target: Value<string> = {
  placeholder: 'URL or folder',
  description: `The target: the URL of a libSQL server, whose token is DATABASE_AUTH_TOKEN, or the word ${folder} for DATA_DIR.`,
  parse(given) {
    if (given === folder || isDatabaseUrl(given)) return given;
    throw new UsageError(
      `--to ${given}: use the URL of a libSQL server without a user and options, such as http://db.internal:8080, or the word ${folder} for DATA_DIR.`,
    );
  },
};

const moved = v.strictObject({
  from: v.string(),
  to: v.string(),
  rows: count,
  tables: v.array(v.strictObject({ table: v.string(), rows: count, sha256: v.string() })),
  /** How long writes were refused. Null if an earlier run was interrupted after that. */
  readOnlyMilliseconds: v.nullable(count),
  /** The folder with the previous database of DATA_DIR. */
  previous: v.nullable(v.string()),
});

const move = defineCommand({
  name: 'database move',
  summary: 'Moves the database to a libSQL server, or back to DATA_DIR, while servers run.',
  uses: 'folder',
  arguments: {},
  options: { to: required(target) },
  examples: ['database move --to http://db.internal:8080', 'database move --to folder'],
  result: moved,
  run: (context, given) => untilInterrupted((signal) => run(context, given.options.to, signal)),
  format({ to, rows, tables, readOnlyMilliseconds, previous }) {
    const time =
      readOnlyMilliseconds === null
        ? ''
        : `, the last changes within ${(readOnlyMilliseconds / 1_000).toFixed(1)} seconds`;
    const [settings, others] =
      to === folder
        ? ['Unset DATABASE_URL', ' Stop the other servers.']
        : [`Set DATABASE_URL to ${to}, and DATABASE_AUTH_TOKEN if it needs a token`, ''];
    return [
      ...(previous ? [`The previous database of DATA_DIR is in ${previous}.`] : []),
      `${counted(rows, 'row')} of ${counted(tables.length, 'table')} were copied and compared${time}.`,
      `The old database now refuses writes. ${settings}, wherever the database is used, such as for backups, and restart the server.${others} Until then, pages can be read but nothing can be saved. To keep the old database instead, run \`pnpm cli database reopen\` with the previous settings.\n`,
    ].join('\n');
  },
});

const reopen = defineCommand({
  name: 'database reopen',
  summary: 'Makes a moved database writable again.',
  uses: 'database',
  arguments: {},
  options: {},
  examples: ['database reopen'],
  result: v.strictObject({ other: v.string(), wasMoved: v.boolean() }),
  async run({ db }) {
    const found = moveOf(db.$client);
    if (!found) throw new CommandError('conflict', 'The database was not moved.');
    await endMove(db, found.id);
    return { other: found.other, wasMoved: found.state === 'moved' };
  },
  format: ({ other, wasMoved }) =>
    wasMoved
      ? `This database is writable again. It lacks what was saved in the other one (${other}) since the move: make sure that no server uses that one.\n`
      : `This database is writable again. It was not moved: the copy (${other}) is incomplete.\n`,
});

async function run(
  context: FolderContext,
  to: string,
  signal: AbortSignal,
): Promise<v.InferOutput<typeof moved>> {
  const { settings, clock, progress: onProgress } = context;
  const from = settings.databaseServer?.url ?? folder;
  requireDirection(from, to);
  return await withWholeDatabase(settings, (source) =>
    orExplainMove(signal, async () => {
      const earlier = moveOf(source.db.$client);
      const isSourceMoved = earlier?.state === 'moved';
      const destination = await openDestination(to, context, { isSourceMoved, signal });
      const move = { id: isSourceMoved ? earlier.id : newId(), other: nameOf(from, context) };
      let copied: Moved;
      try {
        if (isSourceMoved) {
          copied = checkAgain(earlier, source, destination);
        } else {
          await destination.begin(move);
          copied = await moveDatabase(source, destination, { move, signal, clock, onProgress });
        }
      } catch (error) {
        await destination.close();
        throw error;
      }
      const rows = copied.tables.reduce((sum, table) => sum + table.rows, 0);
      return { from, to, rows, ...copied, previous: await destination.complete(move) };
    }),
  );
}

function requireDirection(from: string, to: string): void {
  if (from === to) throw new CommandError('conflict', `The database is already in ${to}.`);
  if (from !== folder && to !== folder) {
    throw new CommandError(
      'conflict',
      `The database is already on a server (${from}): move it to DATA_DIR first, with --to ${folder}.`,
    );
  }
}

const nameOf = (from: string, { dataDir }: FolderContext): string =>
  from === folder ? `DATA_DIR ${dataDir} on ${hostname()}` : from;

const openDestination = async (
  to: string,
  { settings, dataDir, clock }: FolderContext,
  { isSourceMoved, signal }: { isSourceMoved: boolean; signal: AbortSignal },
): Promise<Destination> => {
  if (to === folder) return openFolderDestination(dataDir, { isSourceMoved, clock });
  const authToken = settings.databaseToken;
  const server = { url: to, ...(authToken !== undefined && { authToken }) };
  return await openServerDestination(server, { dataDir, signal });
};

/** Completes a move that was interrupted after the old database was marked as moved. */
function checkAgain(earlier: Move, source: CopySide, destination: Destination): Moved {
  if (!destination.isCopyOf(earlier)) {
    throw new CommandError(
      'conflict',
      `The database was moved to ${earlier.other}: use its settings, or run \`pnpm cli database reopen\` to keep using this one.`,
    );
  }
  return { tables: compareDatabases(source, destination), readOnlyMilliseconds: null };
}

async function orExplainMove<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const again = 'Run the same command again to continue.';
    if (signal.aborted) throw new CommandError('interrupted', `Interrupted. ${again}`);
    if (storageFailureOf(error) === 'full') {
      const { message } = error as Error;
      throw new CommandError('disk_full', `A disk is full (${message}). Free some space. ${again}`);
    }
    const explained = explainShared(error);
    if ([CopyDiffers, MoveTooSlow, MoveInProgress].some((type) => error instanceof type)) {
      throw new CommandError('conflict', `${(error as Error).message} ${again}`);
    }
    if (explained instanceof CommandError && explained.code === 'database_unavailable') {
      throw new CommandError(explained.code, `${explained.message}\n${again}`);
    }
    throw explained;
  }
}

export const moveCommands: readonly AnyCommand[] = [move, reopen];
