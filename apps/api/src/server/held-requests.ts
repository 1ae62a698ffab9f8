import type { RequestListener, ServerResponse } from 'node:http';

interface Limits {
  max: number;
  milliseconds: number;
}

/** Each takes a few kB. A start takes half a second, with a migration longer. */
const defaultLimits: Limits = { max: 1_000, milliseconds: 30_000 };

/**
 * Requests that arrive during the start, until it is done: behind a proxy that waits for the port, a
 * restart then fails none.
 * @param refuse answers those above the limits
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
