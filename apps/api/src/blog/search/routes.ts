import { blogMessages } from '@app/contract/blog/messages';
import { type SearchResults, searchResults } from '@app/contract/blog/search';
import { minute } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { Hono } from 'hono';
import { clientAddress } from '../../server/client-address.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { describeEndpoint, queryParameters } from '../../server/describe-endpoint.ts';
import { invalidInput } from '../../server/input.ts';
import type { PersonalPage } from '../../server/personal-pages.ts';
import { tooManyRequests } from '../../server/rate-limits/middleware.ts';
import type { RateLimit } from '../../server/rate-limits/rate-limits.ts';
import type { Deps } from '../deps.ts';
import { createBlogSearch } from './search-blog.ts';

/** Two searches per second, as when typing. */
const searches: RateLimit = { name: 'search', max: 120, milliseconds: minute };

/** Counts a search. @returns seconds until the next one is allowed, if there were too many */
async function limitSearches(c: AppContext, deps: Deps): Promise<number | null> {
  const address = clientAddress(c, deps);
  if (address === null) return null;
  const taken = await deps.rateLimits.takeForRead(searches, address);
  return taken.allowed ? null : taken.retryAfterSeconds;
}

export function searchRoutes(deps: Deps) {
  const search = createBlogSearch(deps);
  return new Hono<AppEnv>().get(
    '/',
    describeEndpoint({
      summary: 'Search published posts',
      description: `Only the first ${limits.searchWords} words count. All of them must occur; the last one can be incomplete. If exactly one word of 4 to 16 letters occurs nowhere, one mistake in it is corrected.`,
      parameters: queryParameters({ q: `At most ${limits.searchQuery} characters.` }),
      replies: { 200: { description: 'The best matches.', schema: searchResults } },
      problems: ['invalid_input', 'too_many_requests'],
      session: 'optional',
    }),
    async (c) => {
      const query = c.req.query('q') ?? '';
      if (query.length > limits.searchQuery) {
        const message = messages.field.tooLong(limits.searchQuery);
        return invalidInput(c, [{ path: 'q', message }]);
      }
      const retryAfter = await limitSearches(c, deps);
      if (retryAfter !== null) return tooManyRequests(c, retryAfter, blogMessages.tooManySearches);
      c.header('Cache-Control', 'no-store');
      return c.json((await search(query)) satisfies SearchResults);
    },
  );
}

/** The search page without JavaScript, which is loaded again for each search. */
export function searchPage(deps: Deps): PersonalPage {
  const search = createBlogSearch(deps);
  const failed = { kind: 'search', query: '', found: null } as const;
  const nothing = { results: [], corrected: null };
  return {
    isPublic: true,
    find: async (c) => {
      const asked = c.req.query('q');
      const query = (asked ?? '').trim();
      if (query.length > limits.searchQuery) {
        c.status(422);
        return { ...failed, problem: messages.field.tooLong(limits.searchQuery) };
      }
      if (!query) return { ...failed, found: asked === undefined ? null : nothing, problem: null };
      const retryAfter = await limitSearches(c, deps);
      if (retryAfter !== null) {
        c.status(429);
        c.header('Retry-After', String(retryAfter));
        // Without the query, so that the page need not be rendered again.
        return { ...failed, problem: blogMessages.tooManySearches };
      }
      return { kind: 'search', query, found: await search(query), problem: null };
    },
    failure: { ...failed, problem: blogMessages.searchFailed },
  };
}
