import type { Feature } from '../feature.ts';

/**
 * Paths for which the host asks the API if there is no file, such as drafts and moved posts below
 * `/blog/*`. At all other paths without a file, the host responds with 404.
 */
export function apiPathsOf(features: readonly Feature<never>[]): string[] {
  const mounts = features.flatMap(({ routes = {} }) => Object.keys(routes));
  const pages = features.flatMap(({ personalPages = {} }) => Object.keys(personalPages));
  // The API documentation below /api/ belongs to no feature.
  const patterns = new Set([
    '/api/*',
    ...mounts.map((path) => `${path}/*`),
    ...pages.map(patternOf),
  ]);
  return [...patterns].filter((path) => ![...patterns].some((other) => isBelow(path, other)));
}

/** Replaces parameters, for example /careers/again/:token by /careers/again/*. */
function patternOf(path: string): string {
  const parameter = path.indexOf(':');
  return parameter < 0 ? path : `${path.slice(0, parameter)}*`;
}

const isBelow = (path: string, pattern: string): boolean =>
  path !== pattern && pattern.endsWith('/*') && path.startsWith(pattern.slice(0, -1));
