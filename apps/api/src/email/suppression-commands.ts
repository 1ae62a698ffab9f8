import { normalizeEmail } from '@app/contract/email-address';
import { emailSuppressions } from '@app/db/schema/email';
import { writeTransaction } from '@app/db/write-transaction';
import { desc, eq } from 'drizzle-orm';
import * as v from 'valibot';
import { type AnyCommand, defineCommand } from '../cli/command.ts';
import { CommandError } from '../cli/errors.ts';
import { count, time } from '../cli/schemas.ts';
import { formatRest, formatTable, formatTime } from '../cli/table.ts';
import { defaultLimit, limit, text } from '../cli/values.ts';
import { toIso } from '../clock.ts';
import { stops } from './suppressions.ts';

const list = defineCommand({
  name: 'suppressions list',
  summary:
    'Lists addresses that receive no emails, or only those about their account, after a bounce or complaint, newest first.',
  uses: 'database',
  arguments: {},
  options: { limit },
  examples: ['suppressions list'],
  result: v.strictObject({
    suppressions: v.array(
      v.strictObject({
        email: v.string(),
        reason: v.picklist(emailSuppressions.reason.enumValues),
        stops: v.picklist(Object.values(stops)),
        detail: v.nullable(v.string()),
        suppressedAt: time,
      }),
    ),
    total: count,
  }),
  async run({ db }, { options }) {
    const total = await db.$count(emailSuppressions);
    const suppressions = db
      .select()
      .from(emailSuppressions)
      .orderBy(desc(emailSuppressions.createdAt))
      .limit(options.limit ?? defaultLimit)
      .all();
    return {
      suppressions: suppressions.map(({ createdAt, ...each }) => ({
        ...each,
        stops: stops[each.reason],
        suppressedAt: toIso(createdAt),
      })),
      total,
    };
  },
  format({ suppressions, total }) {
    if (suppressions.length === 0) return 'No address is suppressed.\n';
    const table = formatTable(
      ['EMAIL', 'REASON', 'STOPS', 'SUPPRESSED (UTC)'],
      suppressions.map((each) => ({
        cells: [each.email, each.reason, each.stops, formatTime(each.suppressedAt)],
        ...(each.detail !== null && { note: each.detail }),
      })),
    );
    return table + formatRest(suppressions.length, total);
  },
});

const remove = defineCommand({
  name: 'suppressions remove',
  summary:
    'Allows emails to a suppressed address again. Its newsletter subscription stays canceled.',
  uses: 'database',
  arguments: { email: text('email', 'An address from `suppressions list`.') },
  options: {},
  examples: ['suppressions remove ann@example.com'],
  result: v.strictObject({ email: v.string() }),
  run({ db }, given) {
    const email = normalizeEmail(given.arguments.email);
    return writeTransaction(db, (tx) => {
      const isOfAddress = eq(emailSuppressions.email, email);
      const { changes } = tx.delete(emailSuppressions).where(isOfAddress).run();
      if (changes === 0) throw new CommandError('not_found', `${email} is not suppressed.`);
      return { email };
    });
  },
  format: ({ email }) =>
    `${email} is no longer suppressed. \`outbox resend\` sends the emails that failed.\n`,
});

export const suppressionCommands: readonly AnyCommand[] = [list, remove];
