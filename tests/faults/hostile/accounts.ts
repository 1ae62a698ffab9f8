import { join } from 'node:path';
import { createPasswords } from '@app/api/src/accounts/sign-in/passwords.ts';
import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { emailOf, insertSignedInUser } from '../../support/signed-in-user.ts';

export const password = 'correct horse battery';

export interface Account {
  email: string;
  session: string;
}

/** Signed-in users. The author is staff, so without a quota. */
export interface Accounts {
  author: Account;
  /** A member with a published post, a draft and a link to it: see `Contents`. */
  owner: Account;
  victim: Account;
  attackers: readonly Account[];
}

export async function seedAccounts(dataDir: string, attackers: number): Promise<Accounts> {
  const passwordHash = await createPasswords('for salts').hash(password);
  const db = open(join(dataDir, 'site.db'));
  migrate(db);
  const add = (name: string, role: 'member' | 'staff' = 'member'): Account => ({
    email: emailOf(name),
    session: insertSignedInUser(db, name, { role, passwordHash }),
  });
  const accounts = db.transaction(() => ({
    author: add('author', 'staff'),
    owner: add('owner'),
    victim: add('victim'),
    attackers: Array.from({ length: attackers }, (_, n) => add(`attacker-${n}`)),
  }));
  close(db);
  return accounts;
}
