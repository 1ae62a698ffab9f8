import type { Transaction } from '@app/db/open';
import { outbox } from '@app/db/schema/email';
import { writeTransaction } from '@app/db/write-transaction';
import { desc, eq, like } from 'drizzle-orm';
import * as v from 'valibot';
import { type AnyCommand, type DatabaseContext, defineCommand } from '../cli/command.ts';
import { CommandError, UsageError } from '../cli/errors.ts';
import { count, time } from '../cli/schemas.ts';
import { counted, formatRest, formatTable, formatTime, shortId, whenSent } from '../cli/table.ts';
import { choice, defaultLimit, flag, idEnd, limit, optional } from '../cli/values.ts';
import { toIso } from '../clock.ts';
import type { OutboxEmail } from './transport.ts';

const states = ['queued', 'sent', 'dead'] as const;

const email = v.strictObject({
  id: v.string(),
  kind: v.string(),
  to: v.string(),
  state: v.picklist(states),
  attempts: count,
  createdAt: time,
  /** Null unless it is queued. */
  nextAttemptAt: v.nullable(time),
  sentAt: v.nullable(time),
  lastError: v.nullable(v.string()),
});

const list = defineCommand({
  name: 'outbox list',
  summary: 'Lists emails, newest first, with the reason they were not sent.',
  uses: 'database',
  arguments: {},
  options: { state: choice('state', states, 'Only emails in this state.'), limit },
  examples: ['outbox list --state dead'],
  result: v.strictObject({ emails: v.array(email), total: count }),
  async run({ db }, { options }) {
    const isAskedFor = options.state && eq(outbox.state, options.state);
    const total = await db.$count(outbox, isAskedFor);
    const emails = db
      .select()
      .from(outbox)
      .where(isAskedFor)
      .orderBy(desc(outbox.createdAt))
      .limit(options.limit ?? defaultLimit)
      .all();
    return { emails: emails.map(toListed), total };
  },
  format({ emails, total }, { options }) {
    if (emails.length === 0) {
      return options.state ? `No email is ${options.state}.\n` : 'There are no emails.\n';
    }
    const table = formatTable(
      ['ID', 'STATE', 'TRIES', 'CREATED (UTC)', 'KIND', 'TO'],
      emails.map((each) => ({
        cells: [
          shortId(each.id),
          each.state,
          String(each.attempts),
          formatTime(each.createdAt),
          each.kind,
          each.to,
        ],
        ...(each.lastError !== null && { note: noteOf(each) }),
      })),
    );
    return table + formatRest(emails.length, total);
  },
});

const toListed = (each: OutboxEmail): v.InferOutput<typeof email> => ({
  id: each.id,
  kind: each.kind,
  to: each.to,
  state: each.state,
  attempts: each.attempts,
  createdAt: toIso(each.createdAt),
  nextAttemptAt: each.state === 'queued' ? toIso(each.nextAttemptAt) : null,
  sentAt: each.sentAt === null ? null : toIso(each.sentAt),
  lastError: each.lastError,
});

const noteOf = ({ nextAttemptAt, lastError }: v.InferOutput<typeof email>): string =>
  nextAttemptAt === null
    ? (lastError ?? '')
    : `next try ${formatTime(nextAttemptAt)}: ${lastError}`;

const resend = defineCommand({
  name: 'outbox resend',
  summary: 'Retries queued or failed emails now: one, or all of them.',
  uses: 'database',
  arguments: { id: optional(idEnd('outbox list')) },
  options: {
    dead: flag('Retries all emails that failed for good.'),
    queued: flag('Retries all emails that are queued, without waiting for their next try.'),
  },
  examples: ['outbox resend 0000cccc', 'outbox resend --dead'],
  result: v.strictObject({ queued: count }),
  async run(context, given) {
    const { id } = given.arguments;
    const chosen = statesOf(given.options);
    const [state] = chosen;
    if (id !== undefined && !state) return { queued: await queueAgain(context, { id }) };
    if (id !== undefined || !state || chosen.length > 1) {
      throw new UsageError('Specify an email id, --dead or --queued.');
    }
    return { queued: await queueAgain(context, { state }) };
  },
  format: ({ queued }, { options }) =>
    queued === 0
      ? `No email is ${statesOf(options).join()}.\n`
      : `${counted(queued, 'email')} will ${whenSent}.\n`,
});

const statesOf = ({ dead, queued }: { dead: true | undefined; queued: true | undefined }) => [
  ...(dead ? ['dead' as const] : []),
  ...(queued ? ['queued' as const] : []),
];

/** Keeps the id, so that a provider that already has an email does not send it twice. */
const queueAgain = (
  { db, clock }: DatabaseContext,
  which: { id: string } | { state: OutboxEmail['state'] },
): Promise<number> =>
  writeTransaction(db, (tx) => {
    const isChosen =
      'id' in which ? eq(outbox.id, findEmail(tx, which.id).id) : eq(outbox.state, which.state);
    const { changes } = tx
      .update(outbox)
      .set({ state: 'queued', attempts: 0, nextAttemptAt: clock.now() })
      .where(isChosen)
      .run();
    return changes;
  });

function findEmail(tx: Transaction, id: string): OutboxEmail {
  const [found, another] = tx
    .select()
    .from(outbox)
    .where(like(outbox.id, `%${id}`))
    .limit(2)
    .all();
  if (!found) throw new CommandError('not_found', `No email has an id that ends with ${id}.`);
  if (another)
    throw new CommandError(
      'ambiguous',
      `Several emails have an id that ends with ${id}: specify more of it.`,
    );
  if (found.state === 'sent') {
    const at = formatTime(toIso(found.sentAt ?? 0));
    throw new CommandError('conflict', `Email ${id} was sent on ${at} UTC.`);
  }
  return found;
}

export const outboxCommands: readonly AnyCommand[] = [list, resend];
