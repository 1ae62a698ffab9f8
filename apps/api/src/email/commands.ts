import type { Transaction } from '@app/db/open';
import { outbox } from '@app/db/schema/email';
import { writeTransaction } from '@app/db/write-transaction';
import { desc, eq, like } from 'drizzle-orm';
import {
  type Command,
  type CommandContext,
  CommandError,
  expectAtMost,
  limitOf,
  oneOf,
  UsageError,
} from '../cli/command.ts';
import { counted, formatRest, formatTable, formatTime, shortId, whenSent } from '../cli/table.ts';
import type { OutboxEmail } from './transport.ts';

const states = ['queued', 'sent', 'dead'] as const;

const list: Command = {
  name: 'outbox list',
  usage: '[--state queued|sent|dead] [--limit <number>]',
  summary: 'Lists emails, newest first, with the reason they were not sent.',
  options: { state: 'text', limit: 'text' },
  async run({ db }, args) {
    expectAtMost(0, args);
    const limit = limitOf(args);
    const state = oneOf('state', states, args.options.get('state'));
    const isAskedFor = state && eq(outbox.state, state);
    const all = await db.$count(outbox, isAskedFor);
    const emails = db
      .select()
      .from(outbox)
      .where(isAskedFor)
      .orderBy(desc(outbox.createdAt))
      .limit(limit)
      .all();
    if (emails.length === 0) return 'There are no such emails.\n';
    const table = formatTable(
      ['ID', 'STATE', 'TRIES', 'CREATED (UTC)', 'KIND', 'TO'],
      emails.map((email) => ({
        cells: [
          shortId(email.id),
          email.state,
          String(email.attempts),
          formatTime(email.createdAt),
          email.kind,
          email.to,
        ],
        ...(email.lastError !== null && { note: noteOf(email) }),
      })),
    );
    return table + formatRest(emails.length, all);
  },
};

const noteOf = ({ state, lastError, nextAttemptAt }: OutboxEmail): string =>
  state === 'queued' ? `next try ${formatTime(nextAttemptAt)}: ${lastError}` : (lastError ?? '');

const resend: Command = {
  name: 'outbox resend',
  usage: '<id> | --dead | --queued',
  summary: 'Retries queued or failed emails now: one, or all of them.',
  options: { dead: 'flag', queued: 'flag' },
  async run(context, args) {
    expectAtMost(1, args);
    const [id] = args.positionals;
    const chosen = states.filter((state) => args.options.has(state));
    const [state] = chosen;
    if (chosen.length + args.positionals.length !== 1) {
      throw new UsageError('Specify an email id, --dead or --queued.');
    }
    const changed = await queueAgain(
      context,
      id === undefined ? { state: state ?? 'dead' } : { id },
    );
    return changed === 0
      ? `No email is ${state}.\n`
      : `${counted(changed, 'email')} will ${whenSent}.\n`;
  },
};

/** Under the same id, so that a provider that already has it does not send it twice. */
const queueAgain = (
  { db, clock }: CommandContext,
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

/** By the end of its id. */
function findEmail(tx: Transaction, id: string): OutboxEmail {
  if (!/^[\da-f-]{4,36}$/i.test(id)) {
    throw new UsageError(`"${id}" is not a valid id: use one from \`outbox list\`.`);
  }
  const [email, another] = tx
    .select()
    .from(outbox)
    .where(like(outbox.id, `%${id}`))
    .limit(2)
    .all();
  if (!email) throw new CommandError(`No email has an id that ends with ${id}.`);
  if (another)
    throw new CommandError(`Several emails have an id that ends with ${id}: specify more of it.`);
  if (email.state === 'sent') {
    throw new CommandError(`Email ${id} was sent on ${formatTime(email.sentAt ?? 0)} UTC.`);
  }
  return email;
}

export const outboxCommands: readonly Command[] = [list, resend];
