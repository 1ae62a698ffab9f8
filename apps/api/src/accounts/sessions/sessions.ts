import type { Device } from '@app/contract/accounts/settings';
import { signedInCookie } from '@app/contract/accounts/signed-in-cookie';
import { hour } from '@app/contract/durations';
import { deleteInBatches } from '@app/db/delete-in-batches';
import type { Database, Transaction } from '@app/db/open';
import { sessions, users } from '@app/db/schema/accounts';
import {
  caughtUp,
  findWritten,
  whenUnlocked,
  writeIfPossible,
  writeTransaction,
} from '@app/db/write-transaction';
import { and, desc, eq, gt, lte, ne, sql } from 'drizzle-orm';
import { type Adapter, Cookie, Lucia, TimeSpan } from 'lucia';
import { type Clock, toIso } from '../../clock.ts';
import { hashToken, newId, newToken } from '../../tokens.ts';
import { findLiveSession } from './live-session.ts';

const lifetime = new TimeSpan(30, 'd');
/** However often the session is used (OWASP ASVS 5.0, 7.3.2). */
const maxLifetime = new TimeSpan(90, 'd').milliseconds();
/** Per user, so that listing and exporting devices is fast. More sign-ins end the oldest. */
const maxSessions = 100;
/** Sessions that one sign-in ends at most. Later sign-ins end the rest. */
const maxEndedAtOnce = 500;

interface UserAttributes {
  email: string;
  role: 'member' | 'staff';
}

interface SessionAttributes {
  id: string;
  device: string;
  createdAt: number;
  signedInAt: number;
  lastSeenAt: number;
}

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionFacts, UserAttributes>;
    DatabaseUserAttributes: UserAttributes;
    DatabaseSessionAttributes: SessionAttributes;
  }
}

/** `id` is renamed, because lucia uses that name for the secret token in the cookie. */
interface SessionFacts extends Omit<SessionAttributes, 'id'> {
  publicId: string;
}

export interface SignedIn {
  userId: string;
  email: string;
  role: 'member' | 'staff';
  session: {
    /** Public id, for the list of devices. It does not sign anyone in. */
    id: string;
    signedInAt: number;
  };
  /** Set-Cookie values if the session was just extended, otherwise empty. */
  renewed: string[];
}

export type Sessions = ReturnType<typeof createSessions>;

export interface Authenticated {
  userId: string;
  /** The password hash that was verified, if any. The session starts only if it is unchanged. */
  passwordHash?: string | null;
}

interface NewSession {
  device: string;
  /** Secret of the browser's previous session, which the new one replaces. */
  previous?: string | undefined;
  /** The session that must still be valid, for a user who signs in again. */
  continues?: SignedIn | undefined;
}

interface StartedSession {
  sessionId: string;
  publicId: string;
  /** The user's hash when the session started. */
  passwordHash: string | null;
  cookies: string[];
}

export function deleteSessionsOf(tx: Transaction, userId: string): void {
  tx.delete(sessions).where(eq(sessions.userId, userId)).run();
}

/**
 * Cookie sessions, with lucia: 30 days, extended once half of that is over, 90 days at most.
 * @param isHttps whether the public URL is https. Then the cookie is `__Host-session` (RFC 6265bis
 * §4.1.3.2), which browsers reject on http://localhost.
 */
export function createSessions(db: Database, clock: Clock, isHttps: boolean) {
  const lucia = new Lucia(hashingAdapter(db, clock) as Adapter, {
    sessionExpiresIn: lifetime,
    sessionCookie: {
      name: isHttps ? '__Host-session' : 'session',
      attributes: { secure: isHttps, sameSite: 'lax', path: '/' },
    },
    getUserAttributes: ({ email, role }) => ({ email, role }),
    getSessionAttributes: ({ id, ...facts }) => ({ publicId: id, ...facts }),
  });
  const signedInHint = (value: string, maxAge: number): string =>
    new Cookie(signedInCookie, value, {
      secure: isHttps,
      sameSite: 'lax',
      path: '/',
      maxAge,
    }).serialize();
  const cookiesFor = (sessionId: string): string[] => [
    lucia.createSessionCookie(sessionId).serialize(),
    signedInHint('1', lifetime.seconds()),
  ];

  return {
    cookieName: lucia.sessionCookieName,

    /**
     * Also ends the browser's previous session, in the same commit (OWASP, session fixation).
     * @returns null if the account or password has changed since it was verified, or the session to
     * continue has ended
     */
    start: (
      { userId, passwordHash }: Authenticated,
      { device, previous, continues }: NewSession,
    ): Promise<StartedSession | null> =>
      writeTransaction(db, (tx) => {
        const now = clock.now();
        if (continues && !findLiveSession(tx, continues, now)) return null;
        const user = tx.select().from(users).where(eq(users.id, userId)).get();
        if (!user) return null;
        if (passwordHash !== undefined && user.passwordHash !== passwordHash) return null;
        if (previous) {
          tx.delete(sessions)
            .where(eq(sessions.tokenHash, hashToken(previous)))
            .run();
        }
        const sessionId = newToken();
        const publicId = newId();
        tx.insert(sessions)
          .values({
            tokenHash: hashToken(sessionId),
            id: publicId,
            userId,
            device,
            expiresAt: now + lifetime.milliseconds(),
            createdAt: now,
            signedInAt: now,
            lastSeenAt: now,
          })
          .run();
        endOldest(tx, userId);
        return {
          sessionId,
          publicId,
          passwordHash: user.passwordHash,
          cookies: cookiesFor(sessionId),
        };
      }),

    async find(sessionId: string): Promise<SignedIn | null> {
      const { user, session } = await lucia.validateSession(sessionId);
      if (!user) return null;
      const { publicId, signedInAt, lastSeenAt, createdAt } = session;
      const now = clock.now();
      if (now - lastSeenAt >= hour) {
        writeIfPossible(() =>
          db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, publicId)).run(),
        );
        // The list of devices must show this time.
        await caughtUp(db);
      }
      const isAtItsEnd = now >= createdAt + maxLifetime - lifetime.milliseconds() / 2;
      return {
        userId: user.id,
        email: user.email,
        role: user.role,
        session: { id: publicId, signedInAt },
        renewed: session.fresh && !isAtItsEnd ? cookiesFor(session.id) : [],
      };
    },

    /** @returns Set-Cookie values that clear the cookies */
    async end(sessionId: string | undefined): Promise<string[]> {
      if (sessionId) await lucia.invalidateSession(sessionId);
      return [lucia.createBlankSessionCookie().serialize(), signedInHint('', 0)];
    },

    /** The devices where a user is signed in, latest first. */
    list: ({ userId, session }: Pick<SignedIn, 'userId' | 'session'>): Device[] =>
      db
        .select()
        .from(sessions)
        .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, clock.now())))
        .orderBy(desc(sessions.lastSeenAt), desc(sessions.signedInAt))
        .all()
        .map(({ id, device, signedInAt, lastSeenAt }) => ({
          id,
          name: device,
          signedInAt: toIso(signedInAt),
          lastSeenAt: toIso(lastSeenAt),
          isCurrent: id === session.id,
        })),

    endOne: (user: SignedIn, id: string): Promise<'ended' | 'not_found' | 'not_signed_in'> =>
      writeTransaction(db, (tx) => {
        const session = findLiveSession(tx, user, clock.now());
        if (!session) return 'not_signed_in';
        const { changes } = tx
          .delete(sessions)
          .where(and(eq(sessions.userId, session.userId), eq(sessions.id, id)))
          .run();
        return changes > 0 ? 'ended' : 'not_found';
      }),

    /** @returns false if the user's own session has ended */
    endOthers: (user: SignedIn): Promise<boolean> =>
      writeTransaction(db, (tx) => {
        const session = findLiveSession(tx, user, clock.now());
        if (!session) return false;
        tx.delete(sessions)
          .where(and(eq(sessions.userId, session.userId), ne(sessions.id, session.session.id)))
          .run();
        return true;
      }),

    async deleteExpired(): Promise<void> {
      await whenUnlocked(db, () => capSessions(db, clock.now()));
      await deleteInBatches(db, sessions, lte(sessions.expiresAt, clock.now()));
    },
  };
}

/** Ends all but the newest sessions. Sorted by rowid, because the clock may have been set back. */
function endOldest(tx: Transaction, userId: string): void {
  const oldest = tx
    .select({ rowid: sql`rowid` })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(sql`rowid desc`)
    .limit(maxEndedAtOnce)
    .offset(maxSessions);
  tx.delete(sessions).where(sql`rowid in ${oldest}`).run();
}

/** Sessions started while the clock was ahead would last too long. They count as started now. */
function capSessions(db: Database, now: number): void {
  const { createdAt, signedInAt, lastSeenAt, expiresAt } = sessions;
  db.update(sessions)
    .set({
      createdAt: now,
      signedInAt: sql`min(${signedInAt}, ${now})`,
      lastSeenAt: sql`min(${lastSeenAt}, ${now})`,
      expiresAt: sql`min(${expiresAt}, ${now + lifetime.milliseconds()})`,
    })
    .where(gt(createdAt, now))
    .run();
}

/** The methods that lucia calls to validate and end sessions. */
type UsedAdapter = Pick<Adapter, 'getSessionAndUser' | 'updateSessionExpiration' | 'deleteSession'>;

/**
 * Lucia's own adapters store session ids in plain text; this one stores their SHA-256. Lucia uses
 * the system time, so times are shifted to the app's clock.
 */
function hashingAdapter(db: Database, clock: Clock): UsedAdapter {
  const toLucia = (time: number): Date => new Date(time - clock.now() + Date.now());
  /** Lucia's own date can be a millisecond off. */
  const newExpiry = (): number => clock.now() + lifetime.milliseconds();

  // Prepared, because it runs on every request of a signed-in user.
  const findSession = db
    .select({
      userId: sessions.userId,
      expiresAt: sessions.expiresAt,
      email: users.email,
      role: users.role,
      attributes: {
        id: sessions.id,
        device: sessions.device,
        createdAt: sessions.createdAt,
        signedInAt: sessions.signedInAt,
        lastSeenAt: sessions.lastSeenAt,
      },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, sql.placeholder('tokenHash')))
    .prepare();

  return {
    async getSessionAndUser(id) {
      const tokenHash = hashToken(id);
      // The page after a sign-in must show that the user is signed in.
      let row = await findWritten(db, () => findSession.get({ tokenHash }));
      if (row && row.attributes.createdAt > clock.now()) {
        writeIfPossible(() => capSessions(db, clock.now()));
        row = findSession.get({ tokenHash });
      }
      if (!row) return [null, null];
      const { userId, expiresAt, email, role, attributes } = row;
      return [
        { id, userId, expiresAt: toLucia(expiresAt), attributes },
        { id: userId, attributes: { email, role } },
      ];
    },
    async updateSessionExpiration(id) {
      const hasId = eq(sessions.tokenHash, hashToken(id));
      const session = db.select().from(sessions).where(hasId).get();
      if (!session) return;
      const last = session.createdAt + maxLifetime;
      // Near the maximum, this would write on every request.
      if (session.expiresAt >= last) return;
      const extended = Math.min(newExpiry(), last);
      writeIfPossible(() => db.update(sessions).set({ expiresAt: extended }).where(hasId).run());
    },
    async deleteSession(id) {
      await whenUnlocked(db, () =>
        db
          .delete(sessions)
          .where(eq(sessions.tokenHash, hashToken(id)))
          .run(),
      );
    },
  };
}
