import { createHash } from 'node:crypto';
import type { RouteData, SSRManifest } from 'astro';

/**
 * The content security policy of each page that is rendered while the site runs,
 * worked out once: Astro would hash the styles a page inlines anew on every render.
 */
export const policiesOf = (manifest: SSRManifest): ReadonlyMap<RouteData, string> => {
  const { csp } = manifest;
  if (!csp) throw new Error('security.csp is switched off in astro.config.ts');
  const scripts = sources(csp.scriptDirective.hashes);

  return new Map(
    manifest.routes.map(({ routeData, styles }) => {
      const inlined = styles.flatMap((style) => (style.type === 'inline' ? style.content : []));
      const hashes = sources([...csp.styleDirective.hashes, ...inlined.map(hashOf)]);
      const directives = [
        ...csp.directives,
        `script-src 'self' ${scripts}`,
        `style-src 'self' ${hashes}`,
      ];
      return [routeData, directives.join('; ')];
    }),
  );
};

const hashOf = (text: string) =>
  `sha256-${createHash('sha256').update(text).digest('base64')}` as const;

const sources = (hashes: SSRManifestHashes): string =>
  [...new Set(hashes.map((entry) => `'${typeof entry === 'string' ? entry : entry.hash}'`))].join(
    ' ',
  );

type SSRManifestHashes = NonNullable<SSRManifest['csp']>['scriptDirective']['hashes'];
