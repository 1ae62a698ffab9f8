import type { Feature } from '../feature.ts';

/**
 * Paths that the API answers. Below a `/*` it answers what has no file: drafts and moved posts of
 * the blog, for example. Everything else without a file is missing.
 */
export function apiPathsOf(features: readonly Feature<never>[]): string[] {
  const mounts = features.flatMap(({ routes = {} }) => Object.keys(routes));
  const pages = features.flatMap(({ personalPages = {} }) => Object.keys(personalPages));
  // The documentation of the API has no feature.
  const patterns = new Set([
    '/api/*',
    ...mounts.map((path) => `${path}/*`),
    ...pages.map(patternOf),
  ]);
  return [...patterns].filter((path) => ![...patterns].some((other) => isBelow(path, other)));
}

/** Without parameters: /careers/again/* for /careers/again/:token. */
function patternOf(path: string): string {
  const parameter = path.indexOf(':');
  return parameter < 0 ? path : `${path.slice(0, parameter)}*`;
}

const isBelow = (path: string, pattern: string): boolean =>
  path !== pattern && pattern.endsWith('/*') && path.startsWith(pattern.slice(0, -1));
