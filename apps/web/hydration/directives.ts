import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

// esbuild does not accept file URLs.
const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Adds `client:intent` and `client:signed-in`, so that no page loads React before it is needed. */
export const directives = (): AstroIntegration => ({
  name: 'hydration',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) => {
      addClientDirective({ name: 'intent', entrypoint: pathOf('./intent.ts') });
      addClientDirective({ name: 'signed-in', entrypoint: pathOf('./signed-in.ts') });
    },
  },
});
