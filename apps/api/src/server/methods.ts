interface Route {
  method: string;
  path: string;
}

/** For a 405's Allow header (RFC 9110 §15.5.6). Ignores middleware: method ALL, or a wildcard. */
export function allowedMethods(routes: readonly Route[], pathname: string): string[] {
  const allowed = new Set<string>();
  for (const { method, path } of routes) {
    if (method === 'ALL' || path.includes('*')) continue;
    if (patternOf(path).test(pathname)) allowed.add(method);
  }
  if (allowed.has('GET')) allowed.add('HEAD');
  return [...allowed].sort();
}

/** Cached by route: compiling them took half the time of a missing page. */
const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
  const known = patterns.get(path);
  if (known) return known;
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/:[^/]+/g, '[^/]+')}$`);
  patterns.set(path, pattern);
  return pattern;
}
