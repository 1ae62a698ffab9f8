import { day } from '@app/contract/durations';
import type { ReleaseOrigin } from './manifest-lines.ts';

const retainedMilliseconds = day;

/** About 50 MB: thirty builds without a file in common. */
const maxAssets = 2_000;

/**
 * Selects the assets of earlier builds that the release of a new build keeps: those in use within the
 * last day. If there are too many, the oldest are dropped.
 * @param served null for the first release
 * @param found all assets in its folder, some of them of a build that was never fully published but
 * that pages refer to
 * @param now milliseconds since 1970
 */
export function retireAssets(
  served: Pick<ReleaseOrigin, 'assets' | 'retired'> | null,
  found: readonly string[],
  assets: readonly string[],
  now: number,
): Record<string, number> {
  if (!served) return {};
  const current = new Set(assets);
  const since = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, now]));
  const retired = { ...since(found), ...served.retired, ...since(served.assets) };
  return Object.fromEntries(
    Object.entries(retired)
      .filter(([name, since]) => !current.has(name) && since + retainedMilliseconds > now)
      .sort(([, one], [, other]) => other - one)
      .slice(0, maxAssets),
  );
}
