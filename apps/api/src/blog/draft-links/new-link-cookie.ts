import type { AppContext } from '../../server/context.ts';
import { privateCookie } from '../../server/private-cookie.ts';
import type { Deps } from '../deps.ts';

/** Time for a redirect. */
const seconds = 60;

/** After a form post without JavaScript: the page that it redirects to shows the link, once. */
export function newLinkCookie(deps: Pick<Deps, 'settings'>) {
  const cookie = privateCookie('draft-link', deps);
  return {
    set: (c: AppContext, id: string, token: string): void =>
      cookie.set(c, `${id}.${token}`, seconds),

    /** Null unless it is one of these links. */
    take(c: AppContext, links: readonly { id: string }[]): { id: string; token: string } | null {
      const [id, token] = cookie.get(c)?.split('.') ?? [];
      if (id === undefined || token === undefined) return null;
      if (!links.some((link) => link.id === id)) return null;
      cookie.delete(c);
      return { id, token };
    },
  };
}
