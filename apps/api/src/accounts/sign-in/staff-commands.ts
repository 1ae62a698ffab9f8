import { emailField } from '@app/contract/fields';
import { users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { asc, eq } from 'drizzle-orm';
import * as v from 'valibot';
import { type AnyCommand, type DatabaseContext, defineCommand } from '../../cli/command.ts';
import { CommandError, UsageError } from '../../cli/errors.ts';
import { time } from '../../cli/schemas.ts';
import { formatTable, formatTime } from '../../cli/table.ts';
import type { Value } from '../../cli/values.ts';
import { toIso } from '../../clock.ts';
import type { LogByline } from '../profile/user-data.ts';

type Role = (typeof users.$inferSelect)['role'];

const email: Value<string> = {
  placeholder: 'email',
  description: "The account's email address.",
  parse(given) {
    const { success, output } = v.safeParse(emailField(), given);
    if (success) return output;
    throw new UsageError(`"${given}" is not an email address.`);
  },
};

const changed = v.strictObject({ email: v.string(), isChanged: v.boolean() });

const list = defineCommand({
  name: 'staff list',
  summary: 'Lists the accounts that may write with AUTHORING=team.',
  uses: 'database',
  arguments: {},
  options: {},
  examples: ['staff list'],
  result: v.strictObject({
    staff: v.array(v.strictObject({ email: v.string(), signedUpAt: time })),
  }),
  async run({ db }) {
    const staff = db
      .select({ email: users.email, createdAt: users.createdAt })
      .from(users)
      .where(eq(users.role, 'staff'))
      .orderBy(asc(users.email))
      .all();
    return {
      staff: staff.map((user) => ({ email: user.email, signedUpAt: toIso(user.createdAt) })),
    };
  },
  format({ staff }) {
    if (staff.length === 0) return 'No account has the staff role.\n';
    return formatTable(
      ['EMAIL', 'SIGNED UP (UTC)'],
      staff.map((user) => ({ cells: [user.email, formatTime(user.signedUpAt)] })),
    );
  },
});

const setRole = (
  { db, clock }: DatabaseContext,
  logByline: LogByline,
  address: string,
  role: Role,
): Promise<v.InferOutput<typeof changed>> =>
  writeTransaction(db, (tx) => {
    const user = tx.select().from(users).where(eq(users.email, address)).get();
    if (!user) {
      throw new CommandError(
        'not_found',
        `No account has the email ${address}: check the spelling, or ask its owner to sign up first.`,
      );
    }
    // An unconfirmed address may be someone else's.
    if (role === 'staff' && user.emailConfirmedAt === null) {
      throw new CommandError(
        'conflict',
        `The email ${address} is not confirmed yet: ask its owner to follow the link in the confirmation email, then try again.`,
      );
    }
    const isChanged = user.role !== role;
    if (isChanged) {
      tx.update(users).set({ role }).where(eq(users.id, user.id)).run();
      // Posts of staff without a name appear under the company's.
      logByline(tx, clock.now(), user.id);
    }
    return { email: address, isChanged };
  });

export function staffCommands(logByline: LogByline): readonly AnyCommand[] {
  const add = defineCommand({
    name: 'staff add',
    summary: 'Grants the staff role to an account, effective immediately.',
    uses: 'database',
    arguments: { email },
    options: {},
    examples: ['staff add ann@example.com'],
    result: changed,
    run: (context, given) => setRole(context, logByline, given.arguments.email, 'staff'),
    format: ({ isChanged, ...user }) =>
      isChanged
        ? `${user.email} now has the staff role.\n`
        : `${user.email} already has the staff role.\n`,
  });

  const remove = defineCommand({
    name: 'staff remove',
    summary: 'Revokes the staff role, effective immediately. The account stays.',
    uses: 'database',
    arguments: { email },
    options: {},
    examples: ['staff remove ann@example.com'],
    result: changed,
    run: (context, given) => setRole(context, logByline, given.arguments.email, 'member'),
    format: ({ isChanged, ...user }) =>
      isChanged
        ? `${user.email} no longer has the staff role.\n`
        : `${user.email} does not have the staff role.\n`,
  });

  return [list, add, remove];
}
