import type { Database } from '@app/db/open';
import { sessions } from '@app/db/schema/accounts';
import { eq, exists, type SQL } from 'drizzle-orm';
import type { SignedIn } from '../accounts/sessions.ts';

/**
 * Holds in SQL while the session that asks for a change is there. A password takes a while to
 * hash: a stranger's change that was underway when the owner ended all sessions does nothing.
 */
export const isStillSignedIn = (db: Database, { session }: Pick<SignedIn, 'session'>): SQL =>
  exists(db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, session.id)));
