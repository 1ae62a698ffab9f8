import type { Credentials } from '@app/contract/accounts/sign-in';
import { users } from '@app/db/schema/accounts';
import { and, eq, sql } from 'drizzle-orm';
import type { Authenticated } from '../sessions/sessions.ts';
import type { Deps } from './deps.ts';
import { isSignUp, selectSignUps } from './email-tokens.ts';
import type { AccountLimits, TooMany } from './limits.ts';

export type SignIn =
  | Authenticated
  | { refused: 'invalid_credentials' | 'email_not_confirmed' }
  | { tooMany: TooMany };

export interface ClientInfo {
  /** The IP address. Null is not counted. */
  address: string | null;
  /** The device cookie. */
  device: string | undefined;
}

type Account = Pick<typeof users.$inferSelect, 'id' | 'passwordHash' | 'emailConfirmedAt'>;

/**
 * Guesses lock an account for strangers but not for its owner, see `createTrustedDevices`. Takes
 * the same time whether or not the account exists, and however many sign-ups await confirmation.
 */
export function createSignIn(deps: Deps, limits: AccountLimits) {
  const { db, passwords, trustedDevices } = deps;
  const { id, passwordHash, emailConfirmedAt, email } = users;
  const account = () => db.select({ id, passwordHash, emailConfirmedAt, email }).from(users);
  const findSignUps = selectSignUps(db)
    .where(and(isSignUp, eq(users.email, sql.placeholder('email'))))
    .prepare();
  const findByEmail = account()
    .where(eq(email, sql.placeholder('email')))
    .prepare();
  const findById = account()
    .where(eq(id, sql.placeholder('id')))
    .prepare();

  async function authenticate(
    account: Account | undefined,
    { email, password }: Credentials,
    { address, device }: ClientInfo,
  ): Promise<SignIn> {
    const deviceNonce = account ? trustedDevices.recognize(device, account) : null;
    const attempt = { address, email, deviceNonce };
    const tooMany = await limits.signIn(attempt);
    if (tooMany) return { tooMany };
    const own = account && account.emailConfirmedAt !== null ? account.passwordHash : null;
    const signUps = findSignUps.all({ email }).map((signUp) => signUp.passwordHash);
    const stored = [own, ...signUps].filter((hash) => hash !== null);
    const hash = await passwords.verify(stored, password);
    if (hash === null) return { refused: 'invalid_credentials' };
    // Also if the address has an account, so that a sign-up with it does not reveal that.
    if (!account || hash !== own) return { refused: 'email_not_confirmed' };
    await limits.forgetSignIns(attempt);
    // The session starts only if the account still has this hash.
    return { userId: account.id, passwordHash: account.passwordHash };
  }

  return {
    signIn(credentials: Credentials, client: ClientInfo): Promise<SignIn> {
      const account = findByEmail.get({ email: credentials.email });
      return authenticate(account, credentials, client);
    },

    signInAgain(userId: string, password: string, client: ClientInfo): Promise<SignIn> {
      const account = findById.get({ id: userId });
      return authenticate(account, { email: account?.email ?? '', password }, client);
    },
  };
}
