import type { Plugin } from 'vite';

/**
 * A module that pages import and that no file holds: what only the build knows.
 * @param id as it is imported: `virtual:site-pages`
 * @param source the module's code, asked for when the module is first loaded
 */
export const virtualModule = (id: `virtual:${string}`, source: () => string): Plugin => ({
  name: id,
  resolveId: (asked) => (asked === id ? `\0${id}` : undefined),
  load: (resolved) => (resolved === `\0${id}` ? source() : undefined),
});
