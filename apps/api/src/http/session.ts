import { messages } from '@app/contract/messages';
import { getCookie } from 'hono/cookie';
import type { SignedIn } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import type { AppContext } from './context.ts';
import { problem } from './problem.ts';

export const sessionIdOf = (c: AppContext, { sessions }: Deps): string | undefined =>
  getCookie(c, sessions.cookieName);

/** Who sent the request; null for a visitor. A prolonged session's cookies go out with the answer. */
export async function findUser(c: AppContext, deps: Deps): Promise<SignedIn | null> {
  const sessionId = sessionIdOf(c, deps);
  if (sessionId === undefined) return null;
  const user = await deps.sessions.find(sessionId);
  if (user) setCookies(c, user.renewed);
  return user;
}

export function setCookies(c: AppContext, cookies: readonly string[]): void {
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
}

/** The answer to a visitor who asks for what only signed-in people may. */
export const notSignedIn = (c: AppContext): Response =>
  problem(c, 'not_signed_in', messages.blog.signInToSave);
