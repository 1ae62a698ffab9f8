import { createSessions } from '@app/api/src/accounts/sessions/sessions.ts';
import { systemClock } from '@app/api/src/clock.ts';
import { newId } from '@app/api/src/tokens.ts';
import { profiles, users } from '@app/db/schema/accounts';
import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright/test';
import { openDatabase } from './database.ts';
import type { SiteProcess } from './site-process.ts';

export const password = 'correct horse battery';

/** A hash names its own cost, so sign-ins in tests are cheap, too. */
const cheapHash = hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/**
 * Creates an account with a confirmed address and the password above, and signs in. The forms would
 * take half a second of CPU; user-journey.spec.ts tests them.
 */
export async function signInNewUser(
  page: Page,
  site: SiteProcess,
  email: string,
  fullName?: string | null,
): Promise<void> {
  await addUser(site, email, fullName);
  await signInAs(page, site, email);
}

/** Like `signInNewUser`, with the role that may change all posts. */
export async function signInNewStaff(page: Page, site: SiteProcess, email: string): Promise<void> {
  await signInNewUser(page, site, email);
  using db = openDatabase(site.dataDir);
  db.update(users).set({ role: 'staff' }).where(eq(users.email, email)).run();
}

/** @param fullName null for an account without a name, which cannot publish */
export async function addUser(
  site: Pick<SiteProcess, 'dataDir'>,
  email: string,
  fullName: string | null = `Person ${email.split('@')[0]}`,
): Promise<void> {
  const [id, now] = [newId(), Date.now()];
  const confirmed = { emailConfirmedAt: now, passwordHash: await cheapHash };
  using db = openDatabase(site.dataDir);
  db.transaction(
    (tx) => {
      tx.insert(users)
        .values({ id, email, createdAt: now, ...confirmed })
        .run();
      tx.insert(profiles).values({ id, fullName, updatedAt: now }).run();
    },
    { behavior: 'immediate' },
  );
}

export async function signInAs(page: Page, site: SiteProcess, email: string): Promise<void> {
  using db = openDatabase(site.dataDir);
  const user = db.select({ userId: users.id }).from(users).where(eq(users.email, email)).get();
  if (!user) throw new Error(`no account for ${email}`);
  const sessions = createSessions(db, systemClock, false);
  const started = await sessions.start(user, { device: 'Chromium on Linux' });
  const cookies = (started?.cookies ?? []).map((cookie) => {
    const [pair = '', ...attributes] = cookie.split('; ');
    const [name = '', value = ''] = pair.split('=');
    const httpOnly = attributes.includes('HttpOnly');
    return { name, value, url: site.url, httpOnly, sameSite: 'Lax' as const };
  });
  await page.context().addCookies(cookies);
}

export function expireRecentSignIn({ dataDir }: SiteProcess, email: string): void {
  using db = openDatabase(dataDir);
  db.$client
    .prepare(
      'UPDATE sessions SET signed_in_at = signed_in_at - 3600000 WHERE user_id = (SELECT id FROM users WHERE email = ?)',
    )
    .run(email);
}

export function endSessions({ dataDir }: SiteProcess, email: string): void {
  using db = openDatabase(dataDir);
  db.$client
    .prepare('DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = ?)')
    .run(email);
}

export async function openProfile(page: Page, tab: 'profile' | 'settings'): Promise<void> {
  await page.goto(`/profile#${tab}`);
  await page.locator('[data-tabs][data-enhanced]').waitFor();
}

/** Makes a post unrenderable, like one from an old backup. */
export function breakBodyOf({ dataDir }: SiteProcess, slug: string, problem: string): void {
  using db = openDatabase(dataDir);
  db.$client
    .prepare(
      'UPDATE blog_post_bodies SET html = NULL, problem = ? WHERE post_id = (SELECT id FROM blog_posts WHERE slug = ?)',
    )
    .run(problem, slug);
}
