import { signedInCookie } from '@app/contract/accounts';
import type { Database } from '@app/db/open';
import { sessions, users } from '@app/db/schema/accounts';
import { eq, lte, sql } from 'drizzle-orm';
import { type Adapter, Cookie, type DatabaseSession, Lucia, TimeSpan } from 'lucia';
import type { Clock } from '../clock.ts';
import { hashToken, newToken } from '../tokens.ts';

const lifetime = new TimeSpan(30, 'd');

interface UserAttributes {
  email: string;
  role: 'member' | 'staff';
}

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Record<never, never>, UserAttributes>;
    DatabaseUserAttributes: UserAttributes;
  }
}

export interface SignedIn {
  userId: string;
  email: string;
  role: 'member' | 'staff';
  /** The cookies to send again because the session was just prolonged; empty most of the time. */
  renewed: string[];
}

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Sessions by cookie, with lucia. They last 30 days and are prolonged when half
 * of that is over. `isHttps` says how the public reaches the site: the cookie is
 * `__Host-session` there (RFC 6265bis §4.1.3.2: secure, this host only), and
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
  });
  const faceCookie = (value: string, maxAge: number): string =>
    new Cookie(signedInCookie, value, {
      secure: isHttps,
      sameSite: 'lax',
      path: '/',
      maxAge,
    }).serialize();
  const cookiesFor = (sessionId: string): string[] => [
    lucia.createSessionCookie(sessionId).serialize(),
    faceCookie('1', lifetime.seconds()),
  ];

  return {
    /** The name of the cookie that holds the session's id. */
    cookieName: lucia.sessionCookieName,

    /** Starts a session; gives its id and the Set-Cookie values. */
    async start(userId: string): Promise<{ sessionId: string; cookies: string[] }> {
      const { id } = await lucia.createSession(userId, {}, { sessionId: newToken() });
      return { sessionId: id, cookies: cookiesFor(id) };
    },

    /** Who holds the session; null when it is over or never was. */
    async find(sessionId: string): Promise<SignedIn | null> {
      const { user, session } = await lucia.validateSession(sessionId);
      if (!user) return null;
      const renewed = session.fresh ? cookiesFor(session.id) : [];
      return { userId: user.id, email: user.email, role: user.role, renewed };
    },

    /** Ends the session on the server; gives the Set-Cookie values that clear the browser's. */
    async end(sessionId: string | undefined): Promise<string[]> {
      if (sessionId) await lucia.invalidateSession(sessionId);
      return [lucia.createBlankSessionCookie().serialize(), faceCookie('', 0)];
    },

    /** Forgets sessions that are over. */
    deleteExpired: () => lucia.deleteExpiredSessions(),
  };
}

/**
 * Stores of each session id only its SHA-256, where lucia's stock adapters keep
 * the id itself. Lucia reads the system's time, so what it is told and what it
 * asks for is shifted to the clock of the app.
 */
function hashingAdapter(db: Database, clock: Clock): Adapter {
  const toLucia = (time: number): Date => new Date(time - clock.now() + Date.now());
  const fromLucia = (date: Date): number => date.getTime() - Date.now() + clock.now();

  // Every request of a signed-in person runs this one.
  const findSession = db
    .select({
      userId: sessions.userId,
      expiresAt: sessions.expiresAt,
      email: users.email,
      role: users.role,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.idHash, sql.placeholder('idHash')))
    .prepare();

  return {
    async getSessionAndUser(id) {
      const row = findSession.get({ idHash: hashToken(id) });
      if (!row) return [null, null];
      const { userId, expiresAt, email, role } = row;
      return [
        { id, userId, expiresAt: toLucia(expiresAt), attributes: {} },
        { id: userId, attributes: { email, role } },
      ];
    },
    async getUserSessions(userId): Promise<DatabaseSession[]> {
      const rows = await db.select().from(sessions).where(eq(sessions.userId, userId));
      return rows.map(({ idHash, expiresAt }) => ({
        id: idHash,
        userId,
        expiresAt: toLucia(expiresAt),
        attributes: {},
      }));
    },
    async setSession({ id, userId, expiresAt }) {
      await db.insert(sessions).values({
        idHash: hashToken(id),
        userId,
        expiresAt: fromLucia(expiresAt),
        createdAt: clock.now(),
      });
    },
    async updateSessionExpiration(id, expiresAt) {
      await db
        .update(sessions)
        .set({ expiresAt: fromLucia(expiresAt) })
        .where(eq(sessions.idHash, hashToken(id)));
    },
    async deleteSession(id) {
      await db.delete(sessions).where(eq(sessions.idHash, hashToken(id)));
    },
    async deleteUserSessions(userId) {
      await db.delete(sessions).where(eq(sessions.userId, userId));
    },
    async deleteExpiredSessions() {
      await db.delete(sessions).where(lte(sessions.expiresAt, clock.now()));
    },
  };
}
