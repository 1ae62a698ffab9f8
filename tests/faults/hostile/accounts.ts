import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createPasswords } from '@app/api/src/accounts/sign-in/passwords.ts';
import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { profiles, sessions, users } from '@app/db/schema/accounts';

const day = 24 * 60 * 60 * 1_000;

export const password = 'correct horse battery';

export interface Account {
  email: string;
  session: string;
}

/** Signed-in users. The author is staff and has no quota. */
export interface Accounts {
  author: Account;
  owner: Account;
  victim: Account;
  attackers: readonly Account[];
}

export async function seedAccounts(dataDir: string, attackers: number): Promise<Accounts> {
  const passwordHash = await createPasswords().hash(password);
  const db = open(join(dataDir, 'site.db'));
  migrate(db);
  const now = Date.now();
  const add = (name: string, role: 'member' | 'staff' = 'member'): Account => {
    const email = `${name}@example.com`;
    const session = `session-of-${name}`;
    const tokenHash = createHash('sha256').update(session).digest('hex');
    db.insert(users)
      .values({ id: name, email, role, passwordHash, createdAt: now, emailConfirmedAt: now })
      .run();
    db.insert(profiles)
      .values({ id: name, fullName: `Person ${name}`, updatedAt: now })
      .run();
    db.insert(sessions)
      .values({
        tokenHash,
        id: name,
        userId: name,
        device: '',
        expiresAt: now + 29 * day,
        createdAt: now,
        signedInAt: now,
        lastSeenAt: now,
      })
      .run();
    return { email, session };
  };
  const accounts = db.transaction(() => ({
    author: add('author', 'staff'),
    owner: add('owner'),
    victim: add('victim'),
    attackers: Array.from({ length: attackers }, (_, n) => add(`attacker-${n}`)),
  }));
  close(db);
  return accounts;
}
