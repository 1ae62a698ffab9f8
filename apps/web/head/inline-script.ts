import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

export interface InlineScript {
  text: string;
  hash: `sha256-${string}`;
}

/** Astro does not hash inline scripts (`is:inline`) by itself. */
export const inlineScript = (text: string): InlineScript => ({
  text,
  hash: `sha256-${createHash('sha256').update(text).digest('base64')}`,
});

export const bundleInline = async (file: URL): Promise<InlineScript> => {
  const { output } = await build({
    input: fileURLToPath(file),
    write: false,
    output: { format: 'iife', minify: true },
  });
  return inlineScript(output[0].code.trim());
};
