export interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Ranges that take whatever is newest on the day, majors included. */
export const floating = (manifests: ReadonlyMap<string, Manifest>): string[] =>
  [...manifests].flatMap(([folder, { dependencies = {}, devDependencies = {} }]) =>
    Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, range]) => range === 'latest' || range === '*' || range === '')
      .map(([name, range]) => `${folder || 'the root'} wants ${name}@${range}: name a major`),
  );

/** Addresses in a lockfile: with one, an install asks that registry and not the one people set. */
export const registryAddresses = (lockfile: string): string[] =>
  [...lockfile.matchAll(/https?:\/\/[^\s,}'"]+/g)].map(([address]) => address);
