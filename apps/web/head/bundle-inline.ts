import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { type InlineScript, inlineScript } from './inline-script.ts';

/** JavaScript values, keyed by the expression that they replace. */
type Definitions = Record<string, string>;

export const bundleInline = async (file: URL, define?: Definitions): Promise<InlineScript> =>
  inlineScript(await bundle(file, 'iife', define));

/** Bundles and minifies a module that browsers load from its own URL. */
export const bundleModule = (file: URL): Promise<string> => bundle(file, 'esm');

const bundle = async (
  file: URL,
  format: 'iife' | 'esm',
  define: Definitions = {},
): Promise<string> => {
  const { output } = await build({
    input: fileURLToPath(file),
    write: false,
    transform: { define },
    output: { format, minify: true },
  });
  return output[0].code.trim();
};
