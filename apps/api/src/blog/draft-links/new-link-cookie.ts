import type { AppContext } from '../../server/context.ts';
import { privateCookie } from '../../server/private-cookie.ts';
import type { Deps } from '../deps.ts';

/** Long enough to follow a redirect. */
const seconds = 60;

/** After a form post without JavaScript, shows the new link once on the page it redirects to. */
export function newLinkCookie(deps: Pick<Deps, 'settings'>) {
  const cookie = privateCookie('draft-link', deps);
  return {
    set: (c: AppContext, id: string, token: string): void =>
      cookie.set(c, `${id}.${token}`, seconds),

    /** Null unless the cookie holds one of these links. */
    take(c: AppContext, links: readonly { id: string }[]): { id: string; token: string } | null {
      const [id, token] = cookie.get(c)?.split('.') ?? [];
      if (id === undefined || token === undefined) return null;
      if (!links.some((link) => link.id === id)) return null;
      cookie.delete(c);
      return { id, token };
    },
  };
}
