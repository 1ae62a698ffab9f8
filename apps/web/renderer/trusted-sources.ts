import { createHash } from 'node:crypto';
import type { SSRManifest } from 'astro';

/** The policy's directives that all pages share, and the hashes of all inline scripts and styles of the build. */
export const trustedSources = ({
  csp,
  routes,
}: SSRManifest): { directives: readonly string[]; sources: ReadonlySet<string> } => {
  if (!csp) throw new Error('security.csp is switched off in astro.config.ts');
  const declared = [...csp.scriptDirective.hashes, ...csp.styleDirective.hashes].map((entry) =>
    typeof entry === 'string' ? entry : entry.hash,
  );
  // Astro hashes the styles that it inlines into these pages when it renders one.
  const inlined = routes
    .flatMap(({ styles }) => styles)
    .flatMap((style) => (style.type === 'inline' ? style.content : []))
    .map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`);
  return { directives: csp.directives, sources: new Set([...declared, ...inlined]) };
};
