import { messages } from '@app/contract/messages';
import { createMiddleware } from 'hono/factory';
import { clientAddress } from '../client-address.ts';
import type { AppContext, AppEnv } from '../context.ts';
import type { Deps } from '../deps.ts';
import { describeMiddleware } from '../describe-endpoint.ts';
import { problem } from '../problem.ts';
import type { RateLimit, Taken } from './rate-limits.ts';

type ClientDeps = Pick<Deps, 'rateLimits' | 'settings'>;

/** Counts a request by its client's address; see `clientAddress` for those that are not counted. */
export async function countClientRequest(
  c: AppContext,
  deps: ClientDeps,
  limit: RateLimit,
): Promise<Taken> {
  const address = clientAddress(c, deps);
  return address === null ? { allowed: true, count: 0 } : deps.rateLimits.take(limit, address);
}

export const limitByClient = (deps: ClientDeps, limit: RateLimit) =>
  describeMiddleware(
    createMiddleware<AppEnv>(async (c, next) => {
      const taken = await countClientRequest(c, deps, limit);
      return taken.allowed ? next() : tooManyRequests(c, taken.retryAfterSeconds);
    }),
    { problems: ['too_many_requests'] },
  );

/**
 * Answers 429 (RFC 6585 §4) with Retry-After (RFC 9110 §10.2.3).
 * @param text for the user
 * @param notice on the form's page, instead of the code's notice
 */
export const tooManyRequests = (
  c: AppContext,
  retryAfterSeconds: number,
  text: string | ((retryAfterSeconds: number) => string) = messages.submissions.tooMany,
  notice?: string,
): Response =>
  problem(c, 'too_many_requests', typeof text === 'string' ? text : text(retryAfterSeconds), {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    ...(notice && { notice }),
  });
