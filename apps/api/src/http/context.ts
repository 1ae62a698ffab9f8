import type { Context } from 'hono';

/** What travels with a request besides the request. */
export interface AppEnv {
  Variables: {
    /** In every problem, log line and X-Request-Id header of the request. */
    requestId: string;
    /** Set for a browser's own form post: the page that says what happened. */
    formPage?: string;
  };
}

export type AppContext = Context<AppEnv>;
