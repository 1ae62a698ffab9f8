import type { Context, Hono } from 'hono';

export interface AppEnv {
  Variables: {
    /** Also sent in problems and the X-Request-Id header, and logged. */
    requestId: string;
    /** Set by body.ts. */
    body: Buffer;
    /** Cached by `formFields` of input.ts. */
    formFields?: Record<string, string>;
    /** The form's page, if the request is a form post without JavaScript. */
    formPage?: string;
    /** Prefix of the form's notices on that page: newsletter- */
    noticePrefix?: string;
    isMissingPage?: boolean;
    startedSession?: { userId: string; session: { id: string } };
  };
}

/** The context of any route. Hono's type is invariant in the variables, so they are not typed. */
export type AppContext = Context;

// biome-ignore lint/suspicious/noExplicitAny: Hono is invariant in its variables
export type Routes = Hono<any, any, any>;
