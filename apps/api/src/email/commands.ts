import { outbox } from '@app/db/schema/email';
import { writeTransaction } from '@app/db/write-transaction';
import { count, desc, eq, like, type SQL } from 'drizzle-orm';
import {
  type Command,
  CommandError,
  type Desk,
  expectAtMost,
  limitOf,
  oneOf,
  UsageError,
} from '../cli/command.ts';
import { counted, formatRest, formatTable, formatTime, goOut, shortId } from '../cli/table.ts';
import type { OutboxMail } from './transport.ts';

const states = ['queued', 'sent', 'dead'] as const;

const list: Command = {
  name: 'outbox list',
  usage: '[--state queued|sent|dead] [--limit <number>]',
  does: 'Lists emails, newest first, with the reason they were not sent.',
  options: { state: 'text', limit: 'text' },
  async run({ db }, given) {
    expectAtMost(0, given);
    const limit = limitOf(given);
    const state = oneOf('state', states, given.options.get('state'));
    const isAskedFor = state && eq(outbox.state, state);
    const [all] = await db.select({ mails: count() }).from(outbox).where(isAskedFor);
    const mails = await db
      .select()
      .from(outbox)
      .where(isAskedFor)
      .orderBy(desc(outbox.createdAt))
      .limit(limit);
    if (mails.length === 0) return 'There are no such emails.\n';
    const table = formatTable(
      ['ID', 'STATE', 'TRIES', 'MADE (UTC)', 'KIND', 'TO'],
      mails.map((mail) => ({
        cells: [
          shortId(mail.id),
          mail.state,
          String(mail.attempts),
          formatTime(mail.createdAt),
          mail.kind,
          mail.to,
        ],
        ...(mail.lastError !== null && { note: noteOf(mail) }),
      })),
    );
    return table + formatRest(mails.length, all?.mails ?? 0);
  },
};

const noteOf = ({ state, lastError, nextAttemptAt }: OutboxMail): string =>
  state === 'queued' ? `next try ${formatTime(nextAttemptAt)}: ${lastError}` : (lastError ?? '');

const resend: Command = {
  name: 'outbox resend',
  usage: '<id> | --dead | --queued',
  does: 'Retries queued or failed emails now: one, or all of them.',
  options: { dead: 'flag', queued: 'flag' },
  async run(desk, given) {
    expectAtMost(1, given);
    const [id] = given.words;
    const chosen = states.filter((state) => given.options.has(state));
    const [state] = chosen;
    if (chosen.length + given.words.length !== 1) {
      throw new UsageError('Specify an email id, --dead or --queued.');
    }
    const mails = id === undefined ? [] : [await findMail(desk, id)];
    const which = mails[0] ? eq(outbox.id, mails[0].id) : eq(outbox.state, state ?? 'dead');
    const changed = await queueAgain(desk, which);
    return changed === 0
      ? `No mail is ${state}.\n`
      : `${counted(changed, 'mail')} will ${goOut}.\n`;
  },
};

/** A new life under the same id: a provider that has it already does not send it again. */
async function queueAgain({ db, clock }: Desk, which: SQL): Promise<number> {
  const changed = await writeTransaction(db, (tx) =>
    tx
      .update(outbox)
      .set({ state: 'queued', attempts: 0, nextAttemptAt: clock.now() })
      .where(which)
      .returning({ id: outbox.id })
      .all(),
  );
  return changed.length;
}

/** The one mail whose id ends so. */
async function findMail({ db }: Desk, id: string): Promise<OutboxMail> {
  if (!/^[\da-f-]{4,36}$/i.test(id)) {
    throw new UsageError(`"${id}" is no id: take it from \`outbox list\`.`);
  }
  const [mail, another] = await db
    .select()
    .from(outbox)
    .where(like(outbox.id, `%${id}`))
    .limit(2);
  if (!mail) throw new CommandError(`No mail has an id that ends with ${id}.`);
  if (another)
    throw new CommandError(`Several mails have an id that ends with ${id}: give more of it.`);
  if (mail.state === 'sent') {
    throw new CommandError(`Mail ${id} was sent on ${formatTime(mail.sentAt ?? 0)} UTC.`);
  }
  return mail;
}

export const outboxCommands: readonly Command[] = [list, resend];
