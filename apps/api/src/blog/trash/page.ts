import { mayWrite } from '../../accounts/sessions/permissions.ts';
import { findUser } from '../../accounts/sessions/session-cookie.ts';
import type { FindPage } from '../../server/personal-pages.ts';
import { redirectToSignIn } from '../../server/redirect-to-sign-in.ts';
import type { Deps } from '../deps.ts';
import { createTrash } from './trash.ts';

export function createTrashPage(deps: Deps): FindPage {
  const trash = createTrash(deps);
  return async (c) => {
    const user = await findUser(c, deps);
    if (!user) return redirectToSignIn(c, '/blog/trash');
    if (!mayWrite(deps.settings, user)) return c.redirect('/blog', 303);
    const list = trash.list(user, c.req.query('cursor'));
    return list ? { kind: 'trash', ...list } : c.redirect('/blog/trash', 303);
  };
}
