import { isSameSecret } from '../../tokens.ts';
import type { AppContext } from '../context.ts';

export interface TokenSettings {
  metricsToken?: string | undefined;
}

export function hasMetricsToken(c: AppContext, { metricsToken }: TokenSettings): boolean {
  if (metricsToken === undefined) return false;
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
  return isSameSecret(given, metricsToken);
}
