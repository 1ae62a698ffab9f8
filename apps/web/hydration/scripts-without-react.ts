import type { Plugin } from 'vite';

/** Fails the build if the script of an Astro component, which runs on page load, imports React. */
export const scriptsWithoutReact = (): Plugin => ({
  name: 'scripts-without-react',
  generateBundle(_options, bundle) {
    const loadsReact = (fileName: string): boolean => {
      const file = bundle[fileName];
      if (file?.type !== 'chunk') return false;
      return file.name === 'react' || file.imports.some(loadsReact);
    };
    for (const file of Object.values(bundle)) {
      const script = file.type === 'chunk' ? file.facadeModuleId : null;
      if (script?.includes('?astro&type=script') && loadsReact(file.fileName)) {
        throw new Error(`${script} imports React`);
      }
    }
  },
});
