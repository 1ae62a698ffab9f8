import type { Context, Hono } from 'hono';

/** What travels with a request besides the request. */
export interface AppEnv {
  Variables: {
    /** In every problem, log line and X-Request-Id header of the request. */
    requestId: string;
    /** The body, once all of it was read: see body.ts. */
    body: Buffer;
    /** Set for a browser's own form post: the page that says what happened. */
    formPage?: string;
    /** What the names of that page's notices begin with, where it has another form too: newsletter- */
    noticePrefix?: string;
    /** The answer is the page of what is not there. */
    isMissingPage?: boolean;
    /** Set once the request has signed somebody in. */
    startedSession?: { userId: string; session: { id: string } };
  };
}

/**
 * What helpers take: the context of any route, whatever its middleware has set besides. Hono's type is
 * invariant in the variables, so they are not typed here.
 */
export type AppContext = Context;

/** Mounted by the app; each route may have variables of its own. */
// biome-ignore lint/suspicious/noExplicitAny: Hono is invariant in its variables
export type Routes = Hono<any, any, any>;
