import type { Credentials } from '@app/contract/accounts/sign-in';
import { users } from '@app/db/schema/accounts';
import { eq, sql } from 'drizzle-orm';
import type { Authenticated } from '../sessions/sessions.ts';
import type { Deps } from './deps.ts';
import type { AccountLimits, TooMany } from './limits.ts';

export type SignIn = Authenticated | { refused: 'invalid_credentials' } | { tooMany: TooMany };

/** What a request shows of where it comes from. */
export interface ClientInfo {
  /** Whom the limits count; null for nobody. */
  address: string | null;
  /** What the browser keeps of an earlier sign-in, if it does. */
  device: string | undefined;
}

type Account = Pick<typeof users.$inferSelect, 'id' | 'passwordHash' | 'emailConfirmedAt'>;

/**
 * Whoever guesses locks an account for strangers, its owner not: see `createTrustedDevices`.
 * Compares the password in the same time whether the account exists or not.
 */
export function createSignIn(deps: Deps, limits: AccountLimits) {
  const { db, passwords, trustedDevices } = deps;
  // Compiled once: of a flood of sign-ins, what is not hashing is not to be noticed.
  const { id, passwordHash, emailConfirmedAt, email } = users;
  const account = () => db.select({ id, passwordHash, emailConfirmedAt, email }).from(users);
  const findByEmail = account()
    .where(eq(email, sql.placeholder('email')))
    .prepare();
  const findById = account()
    .where(eq(id, sql.placeholder('id')))
    .prepare();

  async function enter(
    account: Account | undefined,
    { email, password }: Credentials,
    { address, device }: ClientInfo,
  ): Promise<SignIn> {
    const deviceNonce = account ? trustedDevices.recognize(device, account.id) : null;
    const tried = { address, email, deviceNonce };
    const tooMany = await limits.signIn(tried);
    if (tooMany) return { tooMany };
    const matches = await passwords.verify(account?.passwordHash ?? null, password);
    // The right password of an unconfirmed sign-up is as wrong as any: whoever signed up with a
    // stranger's address would learn from the difference whether it has an account.
    if (!account || !matches || account.emailConfirmedAt === null) {
      return { refused: 'invalid_credentials' };
    }
    await limits.forgetSignIns(tried);
    // What was compared: the session begins only while the account still has it.
    return { userId: account.id, passwordHash: account.passwordHash };
  }

  return {
    async signIn(credentials: Credentials, client: ClientInfo): Promise<SignIn> {
      const [account] = await findByEmail.execute({ email: credentials.email });
      return enter(account, credentials, client);
    },

    /** For somebody who is signed in already, and proves anew who they are. */
    async signInAgain(userId: string, password: string, client: ClientInfo): Promise<SignIn> {
      const [account] = await findById.execute({ id: userId });
      return enter(account, { email: account?.email ?? '', password }, client);
    },
  };
}
