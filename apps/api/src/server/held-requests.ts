import type { RequestListener, ServerResponse } from 'node:http';

interface Limits {
  max: number;
  milliseconds: number;
}

/** Each request takes a few kB. A start takes half a second, or longer with a migration. */
const defaultLimits: Limits = { max: 1_000, milliseconds: 30_000 };

/**
 * Holds the requests that arrive while the server starts. Behind a proxy that waits for the port, a
 * restart then fails no request.
 * @param refuse answers requests above the limits
 */
export function createHeldRequests(refuse: RequestListener, limits: Limits = defaultLimits) {
  const held = new Map<ServerResponse, (listener: RequestListener) => void>();

  return {
    hold: ((request, response) => {
      if (held.size >= limits.max) return refuse(request, response);
      const forget = () => {
        clearTimeout(timer);
        held.delete(response);
        response.off('close', forget);
      };
      const answer = (listener: RequestListener) => {
        forget();
        listener(request, response);
      };
      const timer = setTimeout(answer, limits.milliseconds, refuse);
      response.once('close', forget);
      held.set(response, answer);
    }) satisfies RequestListener as RequestListener,

    release(listener: RequestListener): void {
      for (const answer of held.values()) answer(listener);
    },

    size: () => held.size,
  };
}
