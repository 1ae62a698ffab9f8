import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { type InlineScript, inlineScript } from './inline-script.ts';

/** Bundles and minifies a script for the head of every page. */
export const bundleInline = async (file: URL): Promise<InlineScript> => {
  const { output } = await build({
    input: fileURLToPath(file),
    write: false,
    output: { format: 'iife', minify: true },
  });
  return inlineScript(output[0].code.trim());
};
