import type { Credentials } from '@app/contract/accounts/sign-in';
import { users } from '@app/db/schema/accounts';
import { eq, sql } from 'drizzle-orm';
import type { Authenticated } from '../sessions/sessions.ts';
import type { Deps } from './deps.ts';
import type { AccountLimits, TooMany } from './limits.ts';

export type SignIn = Authenticated | { refused: 'invalid_credentials' } | { tooMany: TooMany };

export interface ClientInfo {
  /** The IP address. Null is not counted. */
  address: string | null;
  /** The device cookie. */
  device: string | undefined;
}

type Account = Pick<typeof users.$inferSelect, 'id' | 'passwordHash' | 'emailConfirmedAt'>;

/**
 * Guesses lock an account for strangers but not for its owner, see `createTrustedDevices`. Takes
 * the same time whether or not the account exists.
 */
export function createSignIn(deps: Deps, limits: AccountLimits) {
  const { db, passwords, trustedDevices } = deps;
  const { id, passwordHash, emailConfirmedAt, email } = users;
  const account = () => db.select({ id, passwordHash, emailConfirmedAt, email }).from(users);
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
    const matches = await passwords.verify(account?.passwordHash ?? null, password);
    // An unconfirmed account fails like a wrong password: otherwise a sign-up with a stranger's
    // address would reveal whether it has an account.
    if (!account || !matches || account.emailConfirmedAt === null) {
      return { refused: 'invalid_credentials' };
    }
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
