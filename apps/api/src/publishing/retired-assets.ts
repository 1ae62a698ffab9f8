import { day } from '@app/contract/durations';
import type { ReleaseOrigin } from './manifest-lines.ts';

const retainedMilliseconds = day;

/** About thirty builds of which every file differs, 50 MB. */
const maxAssets = 2_000;

/**
 * Which assets of earlier builds the release of a new build contains: those that were in use within
 * the last day. Of too many, the oldest are left out.
 * @param served null for the first release
 * @param found all assets in its folder: pages may refer to those of a build that was not published
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
