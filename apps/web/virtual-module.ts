import type { Plugin } from 'vite';

/** A module without a file, for values that are only known during a build. */
export const virtualModule = (id: `virtual:${string}`, source: () => string): Plugin => ({
  name: id,
  resolveId: (asked) => (asked === id ? `\0${id}` : undefined),
  load: (resolved) => (resolved === `\0${id}` ? source() : undefined),
});
