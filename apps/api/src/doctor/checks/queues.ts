import { hour } from '@app/contract/durations';
import { inspectDatabase } from '@app/db/inspect';
import type { Database } from '@app/db/open';
import { isSqliteError, shortTimeout, withReadOnly } from '@app/db/read-only';
import { outbox } from '@app/db/schema/email';
import { publishLog } from '@app/db/schema/publishing';
import { and, count, eq, gt, like, lt } from 'drizzle-orm';
import { counted } from '../../cli/table.ts';
import { refusals } from '../../email/refusals.ts';
import { openServedRelease } from '../../publishing/release.ts';
import type { PublishState } from '../../publishing/state.ts';
import { type Finding, type FolderCheck, failure, ok, skipped, warning } from '../check.ts';

export const emailQueue: FolderCheck = {
  name: 'email queue',
  needs: 'folder',
  blocks: true,
  run: async ({ databaseFile, clock }) =>
    read(databaseFile, (db) => emailFindings(db, clock.now())),
};

export const publishing: FolderCheck = {
  name: 'publishing',
  needs: 'folder',
  blocks: true,
  async run({ dataDir, databaseFile, clock }) {
    const served = await openServedRelease(dataDir);
    return read(databaseFile, (db) =>
      served?.state
        ? publishingFindings(db, served.state, clock.now())
        : [
            failure(
              'No site is published in DATA_DIR/site.',
              'Start the server, which renders all pages. If it fails, its log says why.',
            ),
          ],
    );
  },
};

/** Skips the check if the database cannot be used: its own check explains why. */
function read(file: string, work: (db: Database) => Finding[]): Finding[] {
  try {
    const { state } = inspectDatabase(file, shortTimeout);
    if (state === 'inUse' || state === 'unused') return withReadOnly(file, work);
  } catch (error) {
    // The database may also lack a migration or belong to another user.
    const { code } = error as NodeJS.ErrnoException;
    if (!isSqliteError(error) && code !== 'EACCES') throw error;
  }
  return [skipped('The database cannot be used: see its check.')];
}

function emailFindings(db: Database, now: number): Finding[] {
  const of = (condition: ReturnType<typeof and>): number =>
    db.select({ emails: count() }).from(outbox).where(condition).get()?.emails ?? 0;
  const dead = of(eq(outbox.state, 'dead'));
  const queued = of(eq(outbox.state, 'queued'));
  const late = of(and(eq(outbox.state, 'queued'), lt(outbox.createdAt, now - hour)));
  const findings: Finding[] = [];
  if (dead > 0) {
    findings.push(
      warning(
        `${counted(dead, 'email')} failed for good.`,
        'See why with `pnpm cli outbox list --state dead`, then retry with `pnpm cli outbox resend --dead`.',
      ),
    );
  }
  for (const { reason, problem, fix } of Object.values(refusals)) {
    if (of(and(eq(outbox.state, 'queued'), like(outbox.lastError, `${reason}: %`))) === 0) continue;
    const more = 'See its reply with `pnpm cli outbox list --state queued`.';
    findings.push(warning(problem, `${fix} ${more}`));
  }
  if (late > 0) {
    findings.push(
      warning(
        `${counted(late, 'email')} ${late === 1 ? 'has' : 'have'} waited for more than an hour.`,
        'See why with `pnpm cli outbox list --state queued`. Emails are only sent while the server runs.',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(`${counted(queued, 'email')} to send, none failed.`)];
}

function publishingFindings(db: Database, { seq }: PublishState, now: number): Finding[] {
  const late =
    db
      .select({ pages: count() })
      .from(publishLog)
      .where(and(gt(publishLog.seq, seq), lt(publishLog.createdAt, now - hour)))
      .get()?.pages ?? 0;
  if (late > 0) {
    return [
      warning(
        `${counted(late, 'page')} ${late === 1 ? 'has' : 'have'} waited for more than an hour to be published.`,
        'Start the server: it publishes what is due. If it runs, its log and /api/health say why.',
      ),
    ];
  }
  return [ok('The site is published, and no page waits.')];
}
