import type { Problem } from '@app/contract/problems';
import type { Context, Hono } from 'hono';

export interface AppEnv {
  Variables: {
    /** Also in problems, log lines and the X-Request-Id header. */
    requestId: string;
    /** Set by body.ts. */
    body: Buffer;
    /** Of the body of a form. */
    formFields?: Record<string, string>;
    /** The page of a form post without JavaScript. */
    formPage?: string;
    /** Prefix of the form's notices on that page: newsletter- */
    noticePrefix?: string;
    /** Of a form post whose route answers refusals itself; set by `problem`. */
    refusal?: Problem | 'none';
    isMissingPage?: boolean;
    /** Set when the request has signed in. */
    startedSession?: { userId: string; session: { id: string } };
  };
}

/** The context of any route. Hono's type is invariant in the variables, so they are not typed. */
export type AppContext = Context;

/** Routes may have variables of their own. */
// biome-ignore lint/suspicious/noExplicitAny: Hono is invariant in its variables
export type Routes = Hono<any, any, any>;
