import { signedInCookie } from '@app/contract/accounts/signed-in-cookie';
import { deleteInBatches } from '@app/db/delete-in-batches';
import type { Database, Transaction } from '@app/db/open';
import { sessions, users } from '@app/db/schema/accounts';
import { whenUnlocked, writeIfPossible, writeTransaction } from '@app/db/write-transaction';
import { and, desc, eq, gt, lte, ne, sql } from 'drizzle-orm';
import { type Adapter, Cookie, type DatabaseSession, Lucia, TimeSpan } from 'lucia';
import type { Clock } from '../../clock.ts';
import { hashToken, newId, newToken } from '../../tokens.ts';
import { findLiveSession } from './live-session.ts';

const lifetime = new TimeSpan(30, 'd');
/** However often it is prolonged, a session is over then (OWASP ASVS 5.0, 7.3.2). */
const maxLifetime = new TimeSpan(90, 'd').milliseconds();
const hour = 60 * 60 * 1_000;

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

/** Lucia's own `id` of a session is the secret in the cookie, so ours goes by another name. */
interface SessionFacts extends Omit<SessionAttributes, 'id'> {
  publicId: string;
}

export interface SignedIn {
  userId: string;
  email: string;
  role: 'member' | 'staff';
  session: {
    /** What the list of devices calls it; opens nothing. */
    id: string;
    /** When the person last proved who they are. */
    signedInAt: number;
  };
  /** The cookies to send again because the session was just prolonged; empty most of the time. */
  renewed: string[];
}

/** A session as its owner sees it. */
export interface SessionOnDevice {
  id: string;
  device: string;
  signedInAt: number;
  lastSeenAt: number;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Somebody who has just proved who they are. */
export interface Authenticated {
  userId: string;
  /** The account's password at that moment, where that was the proof: a session begins only while it is the same. */
  passwordHash?: string | null;
}

/** A new session: its secret, and its id in the list of devices. */
interface StartedSession {
  sessionId: string;
  publicId: string;
  cookies: string[];
}

interface NewSession {
  /** Browser and operating system, for the user's list of devices. */
  device: string;
  /** The secret of the browser's previous session, which ends. */
  previous?: string | undefined;
  /** The session that must still be valid, for a user who signs in again to confirm a change. */
  continues?: SignedIn | undefined;
}

export function deleteSessionsOf(tx: Transaction, userId: string): void {
  tx.delete(sessions).where(eq(sessions.userId, userId)).run();
}

/**
 * Sessions by cookie, with lucia. They last 30 days, are prolonged when half of that is over,
 * and end after 90 whatever happens. `isHttps` says how the public reaches the site: the
 * cookie is `__Host-session` there (RFC 6265bis §4.1.3.2: secure, this host only), and
 * `session` on plain-http localhost, where browsers refuse that prefix.
 */
export function createSessions(db: Database, clock: Clock, isHttps: boolean) {
  const lucia = new Lucia(hashingAdapter(db, clock), {
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
    /** The name of the cookie that holds the session's id. */
    cookieName: lucia.sessionCookieName,

    /**
     * Starts a session; null when its account or its password changed since it was compared, or the
     * session that continues has ended. The browser's previous session ends in the same commit, so
     * that a session id somebody else may know is never signed in (OWASP, session fixation).
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
        return { sessionId, publicId, cookies: cookiesFor(sessionId) };
      }),

    /** Who holds the session; null when it is over or never was. */
    async find(sessionId: string): Promise<SignedIn | null> {
      const { user, session } = await lucia.validateSession(sessionId);
      if (!user) return null;
      const { publicId, signedInAt, lastSeenAt, createdAt } = session;
      const now = clock.now();
      if (now - lastSeenAt >= hour) {
        writeIfPossible(() =>
          db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, publicId)).run(),
        );
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

    /** Ends the session on the server; gives the Set-Cookie values that clear the browser's. */
    async end(sessionId: string | undefined): Promise<string[]> {
      if (sessionId) await lucia.invalidateSession(sessionId);
      return [lucia.createBlankSessionCookie().serialize(), signedInHint('', 0)];
    },

    /** Where somebody is signed in, the latest first. */
    async list(userId: string): Promise<SessionOnDevice[]> {
      const { id, device, signedInAt, lastSeenAt } = sessions;
      return await db
        .select({ id, device, signedInAt, lastSeenAt })
        .from(sessions)
        .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, clock.now())))
        .orderBy(desc(lastSeenAt), desc(signedInAt));
    },

    /** Ends one of somebody's own sessions, if it is one of theirs and their own is alive. */
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

    /** Ends all of somebody's sessions but their own; false when that has ended itself. */
    endOthers: (user: SignedIn): Promise<boolean> =>
      writeTransaction(db, (tx) => {
        const session = findLiveSession(tx, user, clock.now());
        if (!session) return false;
        tx.delete(sessions)
          .where(and(eq(sessions.userId, session.userId), ne(sessions.id, session.session.id)))
          .run();
        return true;
      }),

    /** Forgets sessions that are over, and shortens those of a clock that was set back. */
    async deleteExpired(): Promise<void> {
      await whenUnlocked(() => capSessions(db, clock.now()));
      await lucia.deleteExpiredSessions();
    },
  };
}

/**
 * Sessions that began while the clock was ahead would outlive it by as much: from now on they count
 * as begun now.
 */
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

/**
 * Stores of each session id only its SHA-256, where lucia's stock adapters keep
 * the id itself. Lucia reads the system's time, so what it is told and what it
 * asks for is shifted to the clock of the app.
 */
function hashingAdapter(db: Database, clock: Clock): Adapter {
  const toLucia = (time: number): Date => new Date(time - clock.now() + Date.now());
  /** Not by lucia's date: between its reading of the machine's clock and ours a millisecond may pass. */
  const newExpiry = (): number => clock.now() + lifetime.milliseconds();

  // Every request of a signed-in person runs this one.
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
      let row = findSession.get({ tokenHash });
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
    async getUserSessions(userId): Promise<DatabaseSession[]> {
      const rows = await db.select().from(sessions).where(eq(sessions.userId, userId));
      return rows.map(({ tokenHash, userId: _, expiresAt, ...attributes }) => ({
        id: tokenHash,
        userId,
        expiresAt: toLucia(expiresAt),
        attributes,
      }));
    },
    async setSession({ id, userId, attributes }) {
      const row = { ...attributes, tokenHash: hashToken(id), userId, expiresAt: newExpiry() };
      await whenUnlocked(() => db.insert(sessions).values(row).run());
    },
    async updateSessionExpiration(id) {
      const hasId = eq(sessions.tokenHash, hashToken(id));
      const session = db.select().from(sessions).where(hasId).get();
      if (!session) return;
      const last = session.createdAt + maxLifetime;
      // Near its end there is nothing left to prolong, and nothing to write with each request.
      if (session.expiresAt >= last) return;
      const prolonged = Math.min(newExpiry(), last);
      writeIfPossible(() => db.update(sessions).set({ expiresAt: prolonged }).where(hasId).run());
    },
    async deleteSession(id) {
      await whenUnlocked(() =>
        db
          .delete(sessions)
          .where(eq(sessions.tokenHash, hashToken(id)))
          .run(),
      );
    },
    async deleteUserSessions(userId) {
      await whenUnlocked(() => db.delete(sessions).where(eq(sessions.userId, userId)).run());
    },
    async deleteExpiredSessions() {
      await deleteInBatches(db, sessions, lte(sessions.expiresAt, clock.now()));
    },
  };
}
