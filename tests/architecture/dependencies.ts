export interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Dependencies whose version range has no upper bound. */
export const floating = (manifests: ReadonlyMap<string, Manifest>): string[] =>
  [...manifests].flatMap(([folder, { dependencies = {}, devDependencies = {} }]) =>
    Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, range]) => range === 'latest' || range === '*' || range === '')
      .map(
        ([name, range]) =>
          `${folder || 'the root'} depends on ${name}@${range}: name a major version`,
      ),
  );

/** URLs in the lockfile override the configured registry. */
export const registryUrls = (lockfile: string): string[] =>
  [...lockfile.matchAll(/https?:\/\/[^\s,}'"]+/g)].map(([url]) => url);
