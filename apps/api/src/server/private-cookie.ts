import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AppContext } from './context.ts';
import type { Deps } from './deps.ts';

/**
 * A cookie that scripts cannot read. Lax, because emails and Google link here. On https its name
 * starts with `__Host-` (RFC 6265bis §4.1.3.2), which browsers reject on http://localhost.
 */
export function privateCookie(
  name: string,
  { settings }: { settings: Pick<Deps['settings'], 'publicUrl'> },
) {
  const secure = settings.publicUrl.startsWith('https:');
  const fullName = secure ? `__Host-${name}` : name;
  const options = { path: '/', httpOnly: true, secure, sameSite: 'Lax' } as const;
  return {
    get: (c: AppContext): string | undefined => getCookie(c, fullName),

    /** @param maxAge in seconds */
    set: (c: AppContext, value: string, maxAge: number): void =>
      setCookie(c, fullName, value, { ...options, maxAge }),

    delete(c: AppContext): void {
      deleteCookie(c, fullName, options);
    },
  };
}
