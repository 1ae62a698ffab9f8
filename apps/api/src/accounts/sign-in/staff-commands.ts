import { emailField } from '@app/contract/fields';
import { users } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { asc, eq } from 'drizzle-orm';
import * as v from 'valibot';
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  CommandError,
  expectAtMost,
  UsageError,
} from '../../cli/command.ts';
import { formatTable, formatTime } from '../../cli/table.ts';

type Role = (typeof users.$inferSelect)['role'];

const list: Command = {
  name: 'staff list',
  usage: '',
  summary: 'Lists the accounts that may write with AUTHORING=team.',
  options: {},
  async run({ db }, args) {
    expectAtMost(0, args);
    const staff = db
      .select({ email: users.email, createdAt: users.createdAt })
      .from(users)
      .where(eq(users.role, 'staff'))
      .orderBy(asc(users.email))
      .all();
    if (staff.length === 0) return 'No account has the staff role.\n';
    return formatTable(
      ['EMAIL', 'SIGNED UP (UTC)'],
      staff.map(({ email, createdAt }) => ({ cells: [email, formatTime(createdAt)] })),
    );
  },
};

const add: Command = {
  name: 'staff add',
  usage: '<email>',
  summary: 'Grants the staff role to an account, effective immediately.',
  options: {},
  async run(context, args) {
    const email = emailOf(args);
    return (await setRole(context, email, 'staff'))
      ? `${email} now has the staff role.\n`
      : `${email} already has the staff role.\n`;
  },
};

const remove: Command = {
  name: 'staff remove',
  usage: '<email>',
  summary: 'Revokes the staff role, effective immediately. The account stays.',
  options: {},
  async run(context, args) {
    const email = emailOf(args);
    return (await setRole(context, email, 'member'))
      ? `${email} no longer has the staff role.\n`
      : `${email} does not have the staff role.\n`;
  },
};

function emailOf(args: CommandArguments): string {
  expectAtMost(1, args);
  const [word] = args.positionals;
  if (word === undefined) throw new UsageError("Specify the account's email address.");
  const { success, output } = v.safeParse(emailField(), word);
  if (success) return output;
  throw new UsageError(`"${word}" is not an email address.`);
}

/** Effective immediately. @returns whether the role changed */
const setRole = ({ db }: CommandContext, email: string, role: Role): Promise<boolean> =>
  writeTransaction(db, (tx) => {
    const user = tx.select().from(users).where(eq(users.email, email)).get();
    if (!user) {
      throw new CommandError(
        `No account has the email ${email}: check the spelling, or ask its owner to sign up first.`,
      );
    }
    // Before that, the address may not be the user's.
    if (role === 'staff' && user.emailConfirmedAt === null) {
      throw new CommandError(
        `The email ${email} is not confirmed yet: ask its owner to follow the link in the confirmation email, then try again.`,
      );
    }
    if (user.role === role) return false;
    tx.update(users).set({ role }).where(eq(users.id, user.id)).run();
    return true;
  });

export const staffCommands: readonly Command[] = [list, add, remove];
